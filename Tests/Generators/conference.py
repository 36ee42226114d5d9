#!/usr/bin/env python3
"""Writes Tests/Samples/conference.jsonl, the records of a conference that never was.

Every person, venue, address and talk is invented; the cities and their rough coordinates are real. The same script
writes the same bytes, always:

    python3 Tests/Generators/conference.py              # writes the file beside the samples' README
    python3 Tests/Generators/conference.py --check      # says whether the file is what this script writes
"""

import datetime
import json
import pathlib
import sys

SEED = 2026
TARGET = pathlib.Path(__file__).resolve().parent.parent / "Samples" / "conference.jsonl"


class Generator:
  """SplitMix64 (Steele, Lea and Flood, 2014): the same numbers under every version of Python."""

  def __init__(self, seed):
    self.state = seed

  def next(self):
    mask = (1 << 64) - 1
    self.state = (self.state + 0x9E3779B97F4A7C15) & mask
    bits = self.state
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
    return bits ^ (bits >> 31)

  def below(self, bound):
    return self.next() % bound

  def shuffled(self, items):
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
      other = self.below(last + 1)
      items[last], items[other] = items[other], items[last]
    return items


# slug, city, country, venue, address, latitude, longitude, seats, year opened (None: unknown), hours from UTC,
# language of the opening, rooms
VENUES = [
  ("seoul", "Seoul", "KR", "Lantern House", "14 Banwol-gil", 37.5704, 126.9921, 620, 2011, 9, "ko",
   ["Lantern Hall", "Persimmon Room"]),
  ("suva", "Suva", "FJ", "Harbour Shed Four", "4 Old Wharf Lane", -18.1348, 178.4232, 180, 1998, 12, "en",
   ["Big Shed", "Rope Loft"]),
  ("taveuni", "Taveuni", "FJ", "Meridian Hall", "1 Dateline Road", -16.6906, -179.8770, 90, None, 12, "en",
   ["East Room", "West Room"]),
  ("kyoto", "Kyoto", "JP", "かえで会館", "紅葉通三丁目8番地", 35.0116, 135.7681, 340, 1987, 9, "ja", ["楓の間", "竹の間"]),
  ("taipei", "Taipei", "TW", "山茶文化館", "茶園街27號", 25.0330, 121.5654, 450, 2016, 8, "zh", ["山茶廳", "雲海廳"]),
  ("chiang-mai", "Chiang Mai", "TH", "บ้านใบตอง", "19 ซอยใบตอง", 18.7883, 98.9853, 220, 2005, 7, "th",
   ["ห้องใบตอง", "ห้องดอกบัว"]),
  ("jaipur", "Jaipur", "IN", "गुलमोहर भवन", "7 गुलमोहर मार्ग", 26.9124, 75.7873, 500, 1994, 5.5, "hi",
   ["गुलमोहर कक्ष", "नीम कक्ष"]),
  ("almaty", "Almaty", "KZ", "Яблоневый дом", "ул. Садовая, 31", 43.2389, 76.8897, 400, 1979, 5, "ru",
   ["Большой зал", "Яблоневый зал"]),
  ("nairobi", "Nairobi", "KE", "Acacia Works", "88 Weaverbird Road", -1.2864, 36.8172, 380, 2019, 3, "en",
   ["Acacia", "Weaverbird"]),
  ("amman", "Amman", "JO", "بيت الزيتون", "شارع السنديان 12", 31.9539, 35.9106, 260, 2008, 3, "ar",
   ["قاعة الزيتون", "قاعة السنديان"]),
  ("haifa", "Haifa", "IL", "בית המפרש", "רחוב הגל 9", 32.7940, 34.9896, 240, 2002, 3, "he",
   ["אולם הגל", "אולם המפרש"]),
  ("athens", "Athens", "GR", "Στοά της Ελιάς", "Οδός Αμπέλου 5", 37.9838, 23.7275, 310, 1966, 3, "el",
   ["Αίθουσα Ελιά", "Αίθουσα Άμπελος"]),
  ("giessen", "Gießen", "DE", "Haus zur Weißen Brücke", "Große Mühlstraße 17", 50.5841, 8.6784, 280, 1953, 2, "de",
   ["Großer Saal", "Weiße Stube"]),
  ("lyon", "Lyon", "FR", "La Fabrique aux Fenêtres", "3, rue du Métier-à-Tisser", 45.7640, 4.8357, 360, 2013, 2, "fr",
   ["Salle des Métiers", "Salle Été"]),
  ("tromso", "Tromsø", "NO", "Polar Night Library", "Nordlysveien 70", 69.6492, 18.9553, 150, 2021, 2, "en",
   ["Aurora", "Reading Room"]),
  ("montreal", "Montréal", "CA", "Atelier de l’Érable", "204, rue des Érables-Rouges", 45.5019, -73.5674, 420, 1990, -4,
   "fr", ["Grande salle", "Salle Érable"]),
  ("buenos-aires", "Buenos Aires", "AR", "Galpón del Jacarandá", "Pasaje Jacarandá 1180", -34.6037, -58.3816, 330, 1938,
   -3, "es", ["Salón Jacarandá", "El Patio"]),
]

# slug: the city as the language of its opening names it
LOCAL_NAMES = {
  "seoul": "서울", "kyoto": "京都", "taipei": "臺北", "chiang-mai": "เชียงใหม่", "jaipur": "जयपुर", "almaty": "Алматы",
  "amman": "عمّان", "haifa": "חיפה", "athens": "Αθήνα",
}

# language: title, abstract and tag of an opening
OPENINGS = {
  "en": ("Welcome to {city}", "Coffee, a map of the rooms, and what two days of talks hold for you.", "welcome"),
  "ko": ("{city}에 오신 것을 환영합니다", "커피 한 잔과 함께 행사장 안내와 이틀간의 일정을 소개합니다.", "환영"),
  "ja": ("{city}へようこそ", "会場の案内と、二日間の見どころを紹介します。コーヒーもあります。", "歓迎"),
  "zh": ("歡迎來到{city}", "介紹會場、兩天的議程，還有現磨咖啡。", "歡迎"),
  "th": ("ยินดีต้อนรับสู่ {city}", "แนะนำสถานที่และกำหนดการตลอดสองวัน พร้อมกาแฟหอมกรุ่น", "ต้อนรับ"),
  "hi": ("{city} में आपका स्वागत है", "कॉफ़ी, कमरों का नक्शा और दो दिनों के कार्यक्रम का परिचय।", "स्वागत"),
  "ru": ("Добро пожаловать в {city}", "Кофе, план залов и рассказ о том, что ждёт вас за эти два дня.", "встреча"),
  "ar": ("أهلاً بكم في {city}", "قهوة وخريطة للقاعات ونظرة على برنامج اليومين.", "ترحيب"),
  "he": ("ברוכים הבאים ל{city}", "קפה, מפת האולמות ומה מחכה לכם ביומיים הקרובים.", "ברכה"),
  "el": ("Καλώς ήρθατε στην {city}", "Καφές, ένας χάρτης των αιθουσών και το πρόγραμμα των δύο ημερών.", "υποδοχή"),
  "de": ("Willkommen in {city}", "Kaffee, ein Plan der Räume und was die zwei Tage bringen: ein herzlicher Gruß.", "Begrüßung"),
  "fr": ("Bienvenue à {city}", "Un café, le plan des salles et un aperçu des deux journées à venir.", "accueil"),
  "es": ("Bienvenidos a {city}", "Café, un plano de las salas y lo que nos espera mañana y pasado.", "bienvenida"),
}

# track: title, abstract, tags, level, title of the workshop, what it does
TOPICS = {
  "Databases": [
    ("Reading a query plan before breakfast",
    "A plan is a story told backwards. We read five real ones aloud and learn where rows are lost, found and counted twice.",
    ["queries", "plans", "performance"], 1, "Workshop: explain, then fix", "slow queries on a small data set become fast ones, one index at a time"),
    ("The index that nobody asked for",
    "Every index is paid for at each write. How one team removed forty of them, and which three they put back.",
    ["indexes", "performance", "operations"], 2, "Workshop: choosing indexes", "you measure what each index costs and what it saves"),
    ("Cursors that survive a restart",
    "Paging looks easy until somebody deletes the row you stopped at. A cursor that names a position, and never a page number.",
    ["paging", "queries", "api"], 2, "Workshop: paging without gaps", "we write a cursor and try to break it with inserts and deletes"),
    ("Snapshots for people in a hurry",
    "Readers should never wait. Copy-on-write pages, reference counts and the one lock that remains, drawn on a single sheet of paper.",
    ["snapshots", "concurrency", "storage"], 3, "Workshop: a store with snapshots", "you build a tiny store whose readers never block"),
    ("What missing means",
    "Nothing, null, unknown and never asked: four answers to one empty field, and why two-valued logic makes for calmer mornings.",
    ["queries", "logic", "null"], 1, "Workshop: questions about nothing", "we write one predicate four ways and compare the answers"),
    ("Sorting by distance, a page at a time",
    "The nearest café is easy; the forty-first nearest is not. Best-first search over a grid of cells.",
    ["geo", "paging", "indexes"], 3, "Workshop: the nearest hundred", "you write a best-first search and watch it skip most of the world"),
    ("A million small zones",
    "Most users have little data, and there are many of them. Designing for the small case first.",
    ["storage", "scale", "memory"], 3, "Workshop: counting bytes", "we take a record apart and give every byte a reason"),
    ("Changes, tokens and the art of catching up",
    "A phone comes home after three weeks in a drawer. How it learns what changed, each thing once and nothing twice.",
    ["sync", "changes", "mobile"], 2, "Workshop: a sync you can trust", "you connect two stores over a bad line and make them agree"),
  ],
  "Maps": [
    ("The shortest way round the pole",
    "On a map it is a curve, on a globe a straight line. Geodesics from first principles, with an orange and a rubber band.",
    ["geo", "geodesics", "mathematics"], 2, "Workshop: geodesics by hand", "we compute one distance on paper and then to the millimetre"),
    ("Crossing the date line without losing a day",
    "Half of Fiji lies at 179 degrees east and half at 179 west. Boxes, circles and tiles that do not mind.",
    ["geo", "antimeridian", "queries"], 2, "Workshop: the edges of the map", "your circles cross the antimeridian and both poles"),
    ("Footpaths, fences and open data",
    "Four years of walking with a notebook: what volunteers map first, and what they never map.",
    ["open data", "walking", "community"], 1, "Workshop: map one street", "we walk a street together and write down what a map should know"),
    ("Names of places, in every script at once",
    "A city has one location and twelve names. Choosing which to draw, which to search, and which to say aloud.",
    ["names", "unicode", "search"], 2, "Workshop: a gazetteer of your own", "you build a search that finds Θεσσαλονίκη however it is spelt"),
    ("Tiles for the slowest phone in town",
    "A map that opens in one second on a five-year-old phone. Fewer layers, smaller tiles, better ink.",
    ["tiles", "performance", "mobile"], 1, "Workshop: a map on a diet", "we halve a style sheet and then halve it again"),
    ("Tide tables as a service",
    "Water does not keep office hours. Serving the harbours of an island nation from one small machine.",
    ["sea", "api", "time"], 1, "Workshop: predicting high water", "you fit a tide with eleven cosines"),
    ("Finding the bus that is not there",
    "Live positions are late, missing or wrong. Honest ways to draw what you do not know.",
    ["transit", "uncertainty", "design"], 1, "Workshop: drawing doubt", "we sketch six ways of showing that a bus may come"),
    ("Grids on a round planet",
    "Squares, triangles, hexagons: each grid lies somewhere. How to choose where yours does.",
    ["geo", "grids", "indexes"], 3, "Workshop: cells and neighbours", "you number the cells of a globe and walk between them"),
  ],
  "Accessibility": [
    ("A keyboard is all you need",
    "An hour with the mouse in a drawer. What breaks first, and the small fixes that help everyone.",
    ["keyboard", "focus", "web"], 1, "Workshop: unplug the mouse", "we walk through your own app by keyboard and mend what we find"),
    ("Captions are a first draft of search",
    "Captions for the people who need them turned out to be the best index we had.",
    ["captions", "video", "search"], 1, "Workshop: captions in an hour", "you caption ten minutes of video and search them"),
    ("Colour after dark",
    "Contrast is not a number but a situation: sunlight, tired eyes, an old projector. Testing colours where they live.",
    ["colour", "contrast", "design"], 1, "Workshop: palettes that hold", "we carry a palette through a sunny courtyard and a dark cellar"),
    ("Maps for the ear",
    "How do you describe a crossing to someone who will walk it in ten minutes? Lessons from forty pairs of headphones.",
    ["maps", "audio", "navigation"], 2, "Workshop: describe the way", "you write directions for a partner who closes their eyes"),
    ("Plain words, short lines",
    "Readable text is an interface. Editing error messages until a tired person at a counter can act on them.",
    ["writing", "errors", "design"], 1, "Workshop: rewrite your errors", "bring ten messages, leave with ten better ones"),
    ("Large type, small screens",
    "At three times the size your layout is a different app. Designing that app on purpose.",
    ["type", "layout", "mobile"], 2, "Workshop: turn it up", "we set the largest size and repair what falls apart"),
    ("Switches, eyes and voices",
    "Three people show the devices they use each day, and what software makes easy or hard.",
    ["devices", "voice", "people"], 1, "Workshop: an hour by switch", "you use one button for an hour and take notes"),
    ("Testing with people, kindly",
    "Paying fairly, asking gently, and stopping early. How to learn from testers without wearing them out.",
    ["testing", "people", "research"], 2, "Workshop: a kinder interview", "we rehearse an interview in threes"),
  ],
  "Languages": [
    ("One letter, four ways to write it",
    "Composed, decomposed, compatible and canonical: what equality of text means, and what it costs.",
    ["unicode", "text", "performance"], 2, "Workshop: normal forms", "we break a search box with accents and then mend it"),
    ("Where a word ends",
    "Spaces help in English, mislead in German and are no use in Thai. Word boundaries for search.",
    ["unicode", "search", "tokens"], 2, "Workshop: a tokenizer of your own", "you split nine languages with one small table"),
    ("Right to left, without tears",
    "Mixed directions in one sentence, numbers in the middle, and a cursor that seems to jump. It all makes sense.",
    ["bidi", "layout", "text"], 2, "Workshop: turn your app around", "we mirror a screen and find what must not be mirrored"),
    ("The small parser that could",
    "Recursive descent in three hundred lines, with error messages people thank you for.",
    ["parsers", "errors", "swift"], 2, "Workshop: parse a predicate", "you write a parser for comparisons, AND and NOT"),
    ("Sorting names fairly",
    "Alphabetical order is a local custom. Who ends up last, and whether they should.",
    ["collation", "names", "unicode"], 1, "Workshop: lists that feel right", "we sort one guest list for five readers"),
    ("Ownership in everyday code",
    "Copies you did not mean to make and references you did not mean to share: a field guide.",
    ["swift", "memory", "performance"], 3, "Workshop: hunting copies", "you remove every needless copy from a hot loop"),
    ("A grammar is a promise",
    "When the grammar is the source of truth, the parser, the tests and the manual stop disagreeing.",
    ["grammars", "testing", "documentation"], 2, "Workshop: tests from a grammar", "we generate ten thousand sentences and argue about three"),
    ("Numbers are text too",
    "Ten digits in forty scripts, commas that are points, and the shortest text that reads back as the same double.",
    ["numbers", "text", "unicode"], 2, "Workshop: print, parse, compare", "you round-trip doubles until none is left behind"),
  ],
  "Networks": [
    ("Notifications that arrive once",
    "At most once is rude and at least once is noisy. Keys, windows and the honest middle.",
    ["push", "subscriptions", "reliability"], 2, "Workshop: once and only once", "we drop, delay and repeat messages until your inbox is right"),
    ("An API for the next ten years",
    "Field names you will regret, errors you will be glad of, and how to say goodbye to a version.",
    ["api", "design", "json"], 1, "Workshop: review my API", "bring two endpoints and a thick skin"),
    ("Offline first, on a ferry",
    "A ticket app for boats with no signal for six hours. Queues, conflicts and patient captains.",
    ["offline", "sync", "mobile"], 1, "Workshop: conflict resolution at sea", "two crews edit one timetable and then meet in harbour"),
    ("Retrying without making it worse",
    "A thousand polite clients can still knock a server over. Backoff, jitter and budgets.",
    ["reliability", "operations", "clients"], 2, "Workshop: the thundering herd", "you tame a herd of clients with three lines of code"),
    ("JSON at the edge of reason",
    "Duplicate keys, lone surrogates, numbers that round: what a strict reader refuses, and why that is a kindness.",
    ["json", "parsers", "security"], 2, "Workshop: break this reader", "we feed a JSON reader everything it should refuse"),
    ("Matching a million subscriptions",
    "One change, a million standing questions. Turning the index inside out.",
    ["subscriptions", "indexes", "scale"], 3, "Workshop: queries as data", "you index predicates and let records search for them"),
    ("Clocks that disagree",
    "Every machine is sure what time it is. Ordering events when none of them is right.",
    ["time", "distributed", "ordering"], 3, "Workshop: order from disorder", "we order a shuffled log with nothing but counters"),
    ("The quiet cost of chatter",
    "Battery, data plans and goodwill: measuring what your app says when nobody is listening.",
    ["energy", "mobile", "performance"], 1, "Workshop: listen to your app", "you record an hour of traffic and halve it"),
  ],
  "Privacy": [
    ("Collect less, sleep better",
    "The data you do not hold cannot leak. A year of deleting columns, and what nobody missed.",
    ["data", "design", "law"], 1, "Workshop: the deletion game", "we delete fields from a schema until someone objects"),
    ("Forgetting on request",
    "Deleting a person from live tables, backups, logs and caches, and proving that it was done.",
    ["deletion", "law", "operations"], 2, "Workshop: a deletion drill", "you trace one record through six systems"),
    ("Keys in the right hands",
    "Who can read what, and who can say so? Encryption for teams without a cryptographer.",
    ["encryption", "keys", "security"], 2, "Workshop: rotating a key", "we rotate a key in a running system and nobody notices"),
    ("Location, roughly",
    "A neighbourhood is often enough. Rounding, noise and the trouble with both.",
    ["geo", "anonymity", "maps"], 2, "Workshop: blur the map", "you try to find home in a blurred track, and mostly do"),
    ("Sharing one album, not the house",
    "Shares that follow a hierarchy, links that expire, and the guest who never leaves.",
    ["sharing", "permissions", "design"], 1, "Workshop: draw the boundaries", "we design the sharing sheet of a family calendar"),
    ("Logs that tell no tales",
    "Useful to the engineer, useless to the thief. Structured logs without personal data.",
    ["logs", "operations", "security"], 1, "Workshop: scrub the logs", "you find every name in a day of logs"),
    ("Consent people can read",
    "We timed people reading consent forms. The best took nine seconds and worked.",
    ["consent", "writing", "people"], 1, "Workshop: nine seconds", "we rewrite a form until it can be read in nine seconds"),
    ("Threat models on a napkin",
    "Four questions, one napkin, twenty minutes. Enough to find the hole you will otherwise ship.",
    ["security", "design", "teams"], 1, "Workshop: napkin, pen, go", "each team models one feature and swaps napkins"),
  ],
  "Testing": [
    ("Ten thousand questions before lunch",
    "Generated queries, a naive evaluator and a shrinker: finding bugs nobody would think of.",
    ["generators", "oracles", "queries"], 2, "Workshop: write a shrinker", "you turn a failing page of text into one failing line"),
    ("The test that never ran",
    "It was green for three years. A cautionary tale about guards, counters and trust.",
    ["reliability", "culture"], 1, "Workshop: count your checks", "we make each suite say how much it checked"),
    ("Pulling the plug, on purpose",
    "Killing a database forty thousand times to see whether it keeps its word.",
    ["crashes", "storage", "reliability"], 3, "Workshop: kill -9 and smile", "you write a store, we kill it, you write it again"),
    ("Fuzzing for the cautious",
    "Start with a seed, stop with a bug. Fuzzing a parser in an afternoon.",
    ["fuzzing", "parsers", "security"], 2, "Workshop: your first fuzz target", "you leave with a running fuzzer and probably a bug"),
    ("Golden files that age well",
    "Snapshots of output are cheap to write and dear to read. Keeping them small, named and few.",
    ["golden files", "review"], 1, "Workshop: a page of gold", "we cut a thousand-line snapshot to twelve lines that matter"),
    ("Time travel for test suites",
    "Clocks, random numbers and threads you can rewind: making the rare bug happen on Tuesdays.",
    ["determinism", "time", "concurrency"], 3, "Workshop: a clock of your own", "you replace the clock and replay a race"),
    ("Measuring without fooling yourself",
    "Warm caches, noisy neighbours and the mean that hides everything. Benchmarks you may believe.",
    ["benchmarks", "performance", "statistics"], 2, "Workshop: honest numbers", "we measure one function five ways and explain the difference"),
    ("Review as conversation",
    "Comments that teach, questions that help and the courage to say that it is good.",
    ["review", "culture", "teams"], 1, "Workshop: kinder reviews", "we review one change in silence, then aloud"),
  ],
  "Design": [
    ("Empty states and first mornings",
    "The first screen has no data and all the doubt. Making the empty list an invitation.",
    ["onboarding", "writing", "interface"], 1, "Workshop: the first screen", "you redraw your app as it looks on its first morning"),
    ("Search boxes people trust",
    "No results is an answer too. Showing what was searched, what was not, and what to try next.",
    ["search", "interface", "errors"], 1, "Workshop: no results", "we design the page that nobody wants to see"),
    ("Drawing with a grid of eight",
    "Icons that stay crisp, spacing that stays calm, and when to break both.",
    ["icons", "layout", "type"], 1, "Workshop: eight by eight", "you draw twelve icons with a pencil and squared paper"),
    ("Undo everything",
    "Confirmations ask permission, undo gives forgiveness. The data model behind a friendly mistake.",
    ["undo", "interface", "storage"], 2, "Workshop: one more undo", "we add undo to an app that was sure it needed none"),
    ("Charts that admit doubt",
    "Ranges, gaps and rounding: drawing numbers no more precisely than you know them.",
    ["charts", "statistics", "uncertainty"], 2, "Workshop: redraw the chart", "you redraw a famous chart and defend it"),
    ("Calendars are harder than they look",
    "Weeks that begin on Saturday, days with twenty-three hours and a year with two new years.",
    ["time", "calendars", "localisation"], 2, "Workshop: plan a week abroad", "we plan one week for teams in five zones"),
    ("Sound, used sparingly",
    "One short tone can say done, and a second can ruin a library. A tour of tiny sounds.",
    ["audio", "interface", "attention"], 1, "Workshop: three small sounds", "you design three sounds and listen to them forty times"),
    ("Prototypes you can throw away",
    "Paper, string and a patient friend. Learning in an hour what code would teach in a month.",
    ["prototypes", "research", "people"], 1, "Workshop: paper first", "we build and test a prototype before the coffee is cold"),
  ],
}

# city, language, track: title, abstract, tags, level
LOCAL = [
  ("seoul", "ko", "Databases", "빠른 검색을 위한 색인 설계", "색인 하나가 쓰기와 읽기에 미치는 영향을 실제 사례로 살펴봅니다.", ["색인", "검색", "indexes"], 2),
  ("seoul", "ko", "Languages", "한글과 유니코드 정규화", "자모와 완성형, 두 가지 표현이 같은 글자가 되는 과정을 이야기합니다.", ["한글", "unicode"], 2),
  ("seoul", "ko", "Accessibility", "모두가 읽을 수 있는 화면", "글자 크기와 색 대비를 조금만 바꿔도 많은 사람이 편해집니다.", ["접근성", "design"], 1),
  ("seoul", "ko", "Maps", "서울 골목길 지도 만들기", "지도에 없는 골목을 함께 걷고 기록한 일 년의 이야기입니다.", ["지도", "walking"], 1),
  ("kyoto", "ja", "Languages", "単語の境目を探して", "日本語には空白がありません。検索のために文を区切る方法を比べます。", ["検索", "unicode", "tokens"], 2),
  ("kyoto", "ja", "Maps", "古い地図と新しい座標", "百年前の京都の地図を、今日の座標に重ねてみます。", ["地図", "geo"], 1),
  ("kyoto", "ja", "Design", "余白のデザイン", "何も置かない場所が、画面を読みやすくします。", ["デザイン", "layout"], 1),
  ("kyoto", "ja", "Databases", "索引のない朝", "全件走査で十分なときと、そうでないときの見分け方。", ["索引", "performance"], 2),
  ("taipei", "zh", "Databases", "一百萬筆資料的早晨", "從讀懂查詢計畫開始，讓慢查詢變快。", ["查詢", "performance"], 2),
  ("taipei", "zh", "Maps", "離我最近的茶館", "用距離排序，一頁一頁找到附近的店。", ["地圖", "geo", "paging"], 1),
  ("taipei", "zh", "Accessibility", "聽得見的介面", "讀螢幕軟體如何描述一張圖片，又該由誰來寫。", ["無障礙", "audio"], 1),
  ("taipei", "zh", "Testing", "會自己出題的測試", "讓程式產生問題，再用最笨的方法檢查答案。", ["測試", "generators"], 3),
  ("chiang-mai", "th", "Languages", "ตัดคำไทยอย่างไรให้ค้นเจอ", "ภาษาไทยไม่เว้นวรรคระหว่างคำ มาดูวิธีค้นหาที่ใช้งานได้จริง", ["ภาษาไทย", "search", "tokens"], 2),
  ("chiang-mai", "th", "Maps", "แผนที่ตลาดเช้า", "เก็บข้อมูลร้านค้าในตลาดเช้าด้วยอาสาสมัครและโทรศัพท์เครื่องเก่า", ["แผนที่", "open data"], 1),
  ("chiang-mai", "th", "Design", "ออกแบบให้คุณยายใช้", "ตัวอักษรใหญ่ คำสั้น และปุ่มที่บอกว่าจะเกิดอะไรขึ้น", ["ออกแบบ", "type"], 1),
  ("chiang-mai", "th", "Networks", "แอปที่ทำงานได้แม้ไม่มีสัญญาณ", "บันทึกก่อน ส่งทีหลัง และแก้ข้อขัดแย้งอย่างใจเย็น", ["ออฟไลน์", "sync"], 2),
  ("jaipur", "hi", "Languages", "देवनागरी की मात्राएँ और खोज", "मात्राओं और संयुक्त अक्षरों के साथ सही खोज कैसे हो।", ["हिन्दी", "unicode", "search"], 2),
  ("jaipur", "hi", "Databases", "धीमी क्वेरी का इलाज", "योजना पढ़ना सीखें और सही सूचकांक चुनें।", ["क्वेरी", "indexes"], 1),
  ("jaipur", "hi", "Accessibility", "आवाज़ से चलने वाला ऐप", "जो पढ़ नहीं सकते, उनके लिए भी ऐप बने।", ["आवाज़", "voice"], 1),
  ("jaipur", "hi", "Privacy", "कम डेटा, ज़्यादा भरोसा", "जो डेटा रखा ही नहीं, वह चोरी भी नहीं होगा।", ["निजता", "data"], 1),
  ("almaty", "ru", "Databases", "Индексы без магии", "Как устроен упорядоченный индекс и почему он иногда только мешает.", ["индексы", "performance"], 2),
  ("almaty", "ru", "Maps", "Карты горных троп", "Высота, уклон и погода: что нужно путнику, кроме линии на карте.", ["карты", "walking"], 1),
  ("almaty", "ru", "Testing", "Сто тысяч выключений", "Мы выключали питание снова и снова, и вот чему научились.", ["надёжность", "crashes"], 3),
  ("almaty", "ru", "Networks", "Часы, которые спорят", "Порядок событий, когда ни одному узлу нельзя верить.", ["время", "distributed"], 3),
  ("amman", "ar", "Languages", "البحث في النص العربي", "التشكيل والهمزات والتطويل: كيف نجد الكلمة كما يكتبها الناس.", ["العربية", "unicode", "search"], 2),
  ("amman", "ar", "Design", "واجهات من اليمين إلى اليسار", "ما الذي ينعكس في الواجهة وما الذي يجب أن يبقى كما هو.", ["تصميم", "bidi"], 1),
  ("amman", "ar", "Maps", "خرائط المدينة القديمة", "أسماء كثيرة لمكان واحد، وطرق ضيقة لا تظهر في الصور.", ["خرائط", "names"], 1),
  ("amman", "ar", "Databases", "قاعدة بيانات صغيرة لكل مستخدم", "تصميم يبدأ من الحالة الصغيرة قبل الكبيرة.", ["بيانات", "storage"], 3),
  ("haifa", "he", "Languages", "חיפוש בעברית עם ניקוד ובלעדיו", "איך למצוא מילה כשחלק מהכותבים מנקדים וחלק לא.", ["עברית", "unicode", "search"], 2),
  ("haifa", "he", "Testing", "בדיקות שכותבות את עצמן", "מחוללים, אורקלים ודרך קצרה אל השגיאה.", ["בדיקות", "generators"], 2),
  ("haifa", "he", "Privacy", "לשמור פחות, לישון טוב יותר", "שנה של מחיקת עמודות ומה שאיש לא חיפש.", ["פרטיות", "data"], 1),
  ("haifa", "he", "Maps", "מפה לים וליבשה", "קו החוף זז, והנתונים צריכים לזוז איתו.", ["מפות", "sea"], 1),
  ("athens", "el", "Languages", "Το τελικό σίγμα και η αναζήτηση", "Δύο μορφές του ίδιου γράμματος, τόνοι και κεφαλαία: πώς βρίσκουμε τη λέξη.", ["ελληνικά", "unicode", "search"], 2),
  ("athens", "el", "Maps", "Νησιά, πορθμεία και χάρτες", "Δρομολόγια που αλλάζουν με τον άνεμο, σε έναν χάρτη που το παραδέχεται.", ["χάρτες", "sea", "transit"], 1),
  ("athens", "el", "Databases", "Ερωτήματα με υπομονή", "Διαβάζουμε μαζί πέντε σχέδια εκτέλεσης.", ["ερωτήματα", "plans"], 1),
  ("athens", "el", "Design", "Το χρώμα στο φως του μεσημεριού", "Αντίθεση και ευκρίνεια όταν ο ήλιος πέφτει στην οθόνη.", ["χρώμα", "contrast"], 1),
  ("giessen", "de", "Languages", "Groß, größer, ẞ", "Seit 2017 gibt es das große Eszett. Was Straße und STRASSE für die Suche bedeuten.", ["Unicode", "Suche", "text"], 2),
  ("giessen", "de", "Databases", "Abfragen, die niemand gestellt hat", "Zufällige Abfragen, ein langsamer Prüfer und Fehler, auf die man nie gekommen wäre.", ["Abfragen", "generators"], 3),
  ("giessen", "de", "Maps", "Fußwege und Radstraßen", "Vier Jahre mit dem Notizbuch unterwegs: was auf Karten fehlt und warum.", ["Karten", "walking"], 1),
  ("giessen", "de", "Privacy", "Weniger Daten, ruhiger Schlaf", "Spalten löschen als Gewohnheit, mit Maß und Plan.", ["Datenschutz", "data"], 1),
  ("lyon", "fr", "Languages", "L’accent fait le mot", "Cote, coté, côte, côté : quatre mots, une recherche, et ce que l’on gagne à les distinguer.", ["accents", "unicode", "search"], 2),
  ("lyon", "fr", "Accessibility", "Des cartes à écouter", "Décrire un carrefour à quelqu’un qui va le traverser.", ["cartes", "audio"], 2),
  ("lyon", "fr", "Databases", "Le plan d’exécution, sans peur", "Lire un plan à voix haute, de la dernière étape à la première.", ["requêtes", "plans"], 1),
  ("montreal", "fr", "Design", "Où mène ce bouton ?", "Des libellés courts, clairs et honnêtes : un atelier d’écriture pour interfaces.", ["écriture", "interface"], 1),
  ("buenos-aires", "es", "Databases", "Índices que valen la pena", "Cuánto cuesta cada índice al escribir y cuánto devuelve al leer.", ["índices", "performance"], 2),
  ("buenos-aires", "es", "Maps", "El colectivo que no llega", "Posiciones tardías, huecos y dudas: cómo dibujar lo que no se sabe.", ["mapas", "transit"], 1),
  ("buenos-aires", "es", "Accessibility", "¿Se entiende este error?", "Mensajes breves para personas cansadas. Traé los tuyos.", ["escritura", "errors"], 1),
  ("buenos-aires", "es", "Networks", "Avisos que llegan una sola vez", "Ni ruido ni silencio: claves, ventanas y un punto medio honesto.", ["avisos", "push"], 2),
]

# name, country, home town, latitude, longitude (None: not told), languages, tracks
SPEAKERS = [
  ("한가온", "KR", 37.4563, 126.7052, ["ko", "en"], ["Databases", "Networks"]),
  ("Seo Byeol", "KR", 35.1796, 129.0756, ["ko", "en"], ["Languages", "Design"]),
  ("윤다솜", "KR", 35.8714, 128.6014, ["ko"], ["Accessibility", "Maps"]),
  ("Maru Ok", "KR", 37.5665, 126.9780, ["ko", "en"], ["Maps", "Testing"]),
  ("柊木 みなと", "JP", 34.6937, 135.5023, ["ja", "en"], ["Languages", "Databases"]),
  ("Tsubaki Aoyagi", "JP", 35.0116, 135.7681, ["ja", "en"], ["Design", "Accessibility"]),
  ("朝霧 蓮", "JP", 43.0618, 141.3545, ["ja"], ["Maps", "Databases"]),
  ("Haruki Minazuki", "JP", 33.5902, 130.4017, ["ja", "en"], ["Testing", "Networks"]),
  ("溫若溪", "TW", 25.0330, 121.5654, ["zh", "en"], ["Databases", "Testing"]),
  ("Yun-Shan Lo", "TW", 22.6273, 120.3014, ["zh", "en"], ["Maps", "Privacy"]),
  ("柳知秋", "TW", 24.1477, 120.6736, ["zh"], ["Accessibility", "Databases"]),
  ("Mei-Hua Shih", "TW", None, None, ["zh", "en", "ja"], ["Testing", "Design"]),
  ("ใบเตย ศรีดอย", "TH", 18.7883, 98.9853, ["th", "en"], ["Languages", "Networks"]),
  ("Fah Rungsang", "TH", 13.7563, 100.5018, ["th", "en"], ["Maps", "Design"]),
  ("ต้นกล้า ทองนา", "TH", 16.4419, 102.8360, ["th"], ["Networks", "Languages"]),
  ("Kaew Lomnuea", "TH", 7.8804, 98.3923, ["th", "en"], ["Accessibility", "Privacy"]),
  ("ईशा वनमाली", "IN", 26.9124, 75.7873, ["hi", "en"], ["Languages", "Accessibility"]),
  ("Tara Neelgiri", "IN", 12.9716, 77.5946, ["hi", "en"], ["Databases", "Testing"]),
  ("अर्णव सागर", "IN", 19.0760, 72.8777, ["hi"], ["Privacy", "Databases"]),
  ("Kavin Meenakshan", "IN", 13.0827, 80.2707, ["en", "hi"], ["Networks", "Maps"]),
  ("Вера Рябинина", "KZ", 43.2389, 76.8897, ["ru", "en"], ["Databases", "Maps"]),
  ("Тимур Ветров", "KZ", 51.1694, 71.4491, ["ru"], ["Testing", "Networks"]),
  ("Aigul Saparova", "KZ", 42.3417, 69.5901, ["ru", "en"], ["Networks", "Privacy"]),
  ("Лада Озёрная", "RU", 59.9311, 30.3609, ["ru", "en"], ["Design", "Languages"]),
  ("ليان البستاني", "JO", 31.9539, 35.9106, ["ar", "en"], ["Languages", "Design"]),
  ("Samir Wardani", "JO", 32.5568, 35.8469, ["ar", "en"], ["Databases", "Privacy"]),
  ("نور الياسمين", "EG", 31.2001, 29.9187, ["ar"], ["Maps", "Databases"]),
  ("Hala Zaytoun", "MA", 33.5731, -7.5898, ["ar", "fr", "en"], ["Design", "Accessibility"]),
  ("תמר גלים", "IL", 32.7940, 34.9896, ["he", "en"], ["Languages", "Testing"]),
  ("Omer Alon-Yam", "IL", 32.0853, 34.7818, ["he", "en"], ["Privacy", "Maps"]),
  ("נועם שקד", "IL", 31.2530, 34.7915, ["he"], ["Testing", "Privacy"]),
  ("Ελένη Αμπελιώτη", "GR", 37.9838, 23.7275, ["el", "en"], ["Languages", "Design"]),
  ("Nikos Thalassinos", "GR", 35.3387, 25.1442, ["el", "en"], ["Maps", "Networks"]),
  ("Δάφνη Πετρίδη", "GR", 40.6401, 22.9444, ["el"], ["Databases", "Design"]),
  ("Jörg Weißdorn", "DE", 50.5841, 8.6784, ["de", "en"], ["Databases", "Languages"]),
  ("Käthe Süßmilch", "DE", 53.5511, 9.9937, ["de", "en"], ["Maps", "Privacy"]),
  ("Änne Großwald", "AT", 48.2082, 16.3738, ["de"], ["Privacy", "Databases"]),
  ("Lukas Birnbaum", "CH", 47.3769, 8.5417, ["de", "fr", "en"], ["Testing", "Networks"]),
  ("Anaïs Clairval", "FR", 45.7640, 4.8357, ["fr", "en"], ["Languages", "Databases"]),
  ("Théo Boisvert", "CA", 45.5019, -73.5674, ["fr", "en"], ["Design", "Accessibility"]),
  ("Noémie L’Hermine", "FR", 48.3904, -4.4861, ["fr"], ["Accessibility", "Databases"]),
  ("Éloïse Garance", "BE", 50.8503, 4.3517, ["fr", "en"], ["Privacy", "Testing"]),
  ("Lucía Almendra", "AR", -34.6037, -58.3816, ["es", "en"], ["Databases", "Accessibility"]),
  ("Iñaki Peñalta", "ES", 43.2630, -2.9350, ["es", "en"], ["Maps", "Networks"]),
  ("Ximena Río Claro", "CL", -33.4489, -70.6693, ["es"], ["Accessibility", "Maps"]),
  ("Joaquín Verano", "MX", 19.4326, -99.1332, ["es", "en"], ["Networks", "Testing"]),
  ("Wanjiru Acheng", "KE", -1.2864, 36.8172, ["en", "sw"], ["Databases", "Networks"]),
  ("Baraka Mwezi", "KE", -4.0435, 39.6682, ["en", "sw"], ["Maps", "Design"]),
  ("Amani Kilele", "TZ", -6.7924, 39.2083, ["en", "sw"], ["Accessibility", "Privacy"]),
  ("Sefa Tuilagi-Moana", "FJ", -18.1348, 178.4232, ["en"], ["Maps", "Networks"]),
  ("Litia Vakarewa", "FJ", -16.6906, -179.8770, ["en"], ["Maps", "Databases"]),
  ("Tomasi Naivalu", "FJ", -17.7765, 177.4356, ["en"], ["Networks", "Testing"]),
  ("Solveig Nordmo", "NO", 69.6492, 18.9553, ["en", "no"], ["Maps", "Testing"]),
  ("Eirik Fjellstad", "NO", 78.2232, 15.6267, ["en", "no"], ["Databases", "Design"]),
  ("Ada Merriwether", "GB", 51.4545, -2.5879, ["en"], ["Testing", "Languages"]),
  ("Rowan Ashby-Quill", "GB", 55.9533, -3.1883, ["en"], ["Design", "Accessibility"]),
  ("Niamh Corrigan-Daly", "IE", 53.2707, -9.0568, ["en"], ["Languages", "Privacy"]),
  ("Juniper Hale", "US", 45.5152, -122.6784, ["en"], ["Accessibility", "Networks"]),
  ("Marcus Bellweather", "US", 41.8781, -87.6298, ["en", "es"], ["Databases", "Testing"]),
  ("Pilar Ocean", "NZ", -41.2866, 174.7756, ["en"], ["Privacy", "Design"]),
  ("Zofia Jarzębina", "PL", 50.0647, 19.9450, ["en", "pl"], ["Testing", "Languages"]),
  ("Çağla Deniz", "TR", 38.4237, 27.1428, ["en", "tr"], ["Design", "Privacy"]),
  ("İrem Işıklı", "TR", None, None, ["en", "tr"], ["Languages", "Networks"]),
  ("Đặng Mộc Lan", "VN", 16.0544, 108.2022, ["en", "vi"], ["Privacy", "Accessibility"]),
]

WORK = [
  "Keeps the storage engine of a small bank honest", "Draws maps for hikers and harbour masters",
  "Writes parsers and the error messages that go with them", "Leads a team of six that answers for every search box",
  "Teaches computing at a night school", "Looks after the servers of a public library",
  "Builds ticket machines that speak nine languages", "Tests other people’s databases for a living",
  "Designs forms that fit on one page", "Studies how people read on small screens",
  "Makes clocks agree across three continents", "Runs the software of an island’s ferries",
  "Translates interfaces and argues about commas", "Reviews code in the morning and writes it after lunch",
  "Measures things twice and deletes them once", "Maintains an open-source geodesy library",
]

PLEASURE = [
  "grows tomatoes on a balcony", "repairs old radios", "sings in a choir of engineers", "collects tide tables",
  "bakes rye bread on Sundays", "is learning to sail", "walks every street of a new city", "keeps bees",
  "plays chess by post", "restores letterpress type", "photographs lighthouses", "swims in cold lakes",
  "knits hats with error-correcting patterns", "cycles to every conference that can be cycled to",
  "paints signs for market stalls", "writes a newsletter about maps",
]


def milliseconds(day, minutes, hours_from_utc):
  """Minutes after midnight, local time, on a day of September 2026."""
  moment = datetime.datetime(2026, 9, day, tzinfo=datetime.timezone.utc)
  return int(moment.timestamp() * 1000) + int(minutes - hours_from_utc * 60) * 60_000


def record(name, kind, fields):
  return {
    "recordName": name,
    "recordType": kind,
    "fields": {
      key: {"value": value, "type": type_} for key, type_, value in fields if value is not None
    },
  }


def reference(name):
  return {"recordName": name, "action": "NONE"}


def location(latitude, longitude):
  return None if latitude is None else {"latitude": latitude, "longitude": longitude}


def year_opened(year):
  if year is None:
    return None
  return int(datetime.datetime(year, 5, 1, tzinfo=datetime.timezone.utc).timestamp() * 1000)


def venues():
  for slug, city, country, name, address, latitude, longitude, seats, opened, _, _, rooms in VENUES:
    yield record(f"venue-{slug}", "Venue", [
      ("name", "STRING", name),
      ("city", "STRING", city),
      ("country", "STRING", country),
      ("address", "STRING", address),
      ("location", "LOCATION", location(latitude, longitude)),
      ("seats", "INT64", seats),
      ("rooms", "STRING_LIST", rooms),
      ("opened", "TIMESTAMP", year_opened(opened)),
    ])


def speakers(random):
  work = random.shuffled(range(len(WORK)))
  pleasure = random.shuffled(range(len(PLEASURE)))
  for index, (name, country, latitude, longitude, languages, tracks) in enumerate(SPEAKERS):
    job = WORK[work[index % len(WORK)]]
    bio = f"{job} and {PLEASURE[pleasure[(index * 5 + index // 16) % len(PLEASURE)]]}."
    joined = datetime.datetime(2019, 1, 7, 9, tzinfo=datetime.timezone.utc) + datetime.timedelta(
      days=random.below(2700), minutes=random.below(600))
    yield record(f"speaker-{index + 1:02}", "Speaker", [
      ("name", "STRING", name),
      ("bio", "STRING", bio if index % 13 != 12 else None),
      ("country", "STRING", country),
      ("homeTown", "LOCATION", location(latitude, longitude)),
      ("joined", "TIMESTAMP", int(joined.timestamp() * 1000)),
      ("languages", "STRING_LIST", languages),
      ("topics", "STRING_LIST", tracks),
    ])


def programme(random):
  """What is given where: (venue index, format, language, track, title, abstract, tags, level)."""
  index_of = {venue[0]: index for index, venue in enumerate(VENUES)}
  sessions = [[] for _ in VENUES]
  for index, venue in enumerate(VENUES):
    language = venue[10]
    title, abstract, tag = OPENINGS[language]
    tags = [tag] if tag == "welcome" else [tag, "welcome"]
    title = title.format(city=LOCAL_NAMES.get(venue[0], venue[1]))
    sessions[index].append(("opening", language, None, title, abstract, tags, 1))
  for city, language, track, title, abstract, tags, level in LOCAL:
    sessions[index_of[city]].append(("talk", language, track, title, abstract, tags, level))
  talks = []
  workshops = []
  for track, topics in TOPICS.items():
    for title, abstract, tags, level, workshop, content in topics:
      talks.append(("talk", "en", track, title, abstract, tags, level))
      content = f"Ninety minutes, hands on: {content}."
      workshops.append(("workshop", "en", track, workshop, content, tags, level))
  for session in random.shuffled(talks) + random.shuffled(workshops):
    fewest = min(len(given) for given in sessions)
    open_venues = [index for index, given in enumerate(sessions) if len(given) == fewest]
    sessions[open_venues[random.below(len(open_venues))]].append(session)
  return sessions


def sessions(random):
  busy = {}  # (speaker, day): the venue's index, and (speaker, day, slot) where the speaker is taken
  given = [0] * len(SPEAKERS)
  slots = [600, 690, 840, 960]
  number = 0
  for index, programme_here in enumerate(programme(random)):
    slug, city, _, _, _, latitude, longitude, seats, _, zone, _, rooms = VENUES[index]
    first_day = 2 + index * 26 // (len(VENUES) - 1)
    places = [
      (day, slot, room) for day in range(2) for slot in range(len(slots)) for room in range(len(rooms))
    ]
    timetable = [(0, -1, 0)] + places
    ordered = programme_here[:1] + random.shuffled(programme_here[1:])
    for (day, slot, room), session in zip(timetable, ordered):
      form, language, track, title, abstract, tags, level = session
      number += 1
      date = first_day + day
      begin = 540 if slot < 0 else slots[slot]
      length = {"opening": 30, "talk": 45, "workshop": 90}[form]
      free = [
        person for person, (_, _, _, _, languages, _) in enumerate(SPEAKERS)
        if language in languages and busy.get((person, date), index) == index
        and (person, date, slot) not in busy
      ]
      free.sort(key=lambda person: (
        track is not None and track not in SPEAKERS[person][5], given[person], person))
      wanted = 2 if form == "workshop" or random.below(6) == 0 else 1
      chosen = free[:wanted]
      for person in chosen:
        busy[(person, date)] = index
        busy[(person, date, slot)] = index
        given[person] += 1
      capacity = seats * 3 // 5 if room == 0 else seats * 3 // 20 + 10
      if form == "workshop":
        capacity = min(capacity, 40)
      rating = (30 + random.below(21)) / 10
      rated = form != "opening" and random.below(4) != 0
      yield record(f"session-{number:03}", "Session", [
        ("title", "STRING", title),
        ("abstract", "STRING", abstract),
        ("track", "STRING", track),
        ("format", "STRING", form),
        ("city", "STRING", city),
        ("start", "TIMESTAMP", milliseconds(date, begin, zone)),
        ("end", "TIMESTAMP", milliseconds(date, begin + length, zone)),
        ("room", "STRING", rooms[room]),
        ("capacity", "INT64", capacity),
        ("rating", "DOUBLE", rating if rated else None),
        ("tags", "STRING_LIST", tags),
        ("level", "INT64", level),
        ("language", "STRING", language),
        ("recorded", "INT64", int(form != "workshop" and random.below(3) != 0)),
        ("speakers", "REFERENCE_LIST",
         [reference(f"speaker-{person + 1:02}") for person in chosen] or None),
        ("venue", "REFERENCE", reference(f"venue-{slug}")),
        ("location", "LOCATION", location(latitude, longitude)),
      ])


def text():
  random = Generator(SEED)
  records = list(venues()) + list(speakers(random)) + list(sessions(random))
  lines = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in records]
  return "\n".join(lines) + "\n"


def main():
  content = text().encode("utf-8")
  if sys.argv[1:] == ["--check"]:
    if TARGET.read_bytes() != content:
      sys.exit(f"{TARGET.name} is not what {pathlib.Path(__file__).name} writes")
    print(f"{TARGET.name}: {content.count(10)} records, as written by {pathlib.Path(__file__).name}")
  else:
    TARGET.write_bytes(content)
    print(f"{TARGET.name}: {content.count(10)} records, {len(content)} bytes")


if __name__ == "__main__":
  main()
