print("zonequery")
