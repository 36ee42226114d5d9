/// The look of the page, in light and dark.
enum HTMLStyle {
  static let css = """
    :root {
      color-scheme: light dark;
      --page: #fbfaf7; --panel: #ffffff; --ink: #1d2327; --soft: #5b656d; --rule: #dfe2e0; --grid: #eceeec;
      --own: #0b7a75; --peer: #b5622b; --own-wash: #0b7a7526; --peer-wash: #b5622b26;
      --good: #0b7a75; --bad: #b0402f;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14181b; --panel: #1b2125; --ink: #e8ebe9; --soft: #9aa5ac; --rule: #313a40; --grid: #262e33;
        --own: #4fc9bd; --peer: #eb9f67; --own-wash: #4fc9bd33; --peer-wash: #eb9f6733;
        --good: #4fc9bd; --bad: #f08c7b;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.5;
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
    main { max-width: 1040px; margin: 0 auto; padding: 40px 24px 80px; }
    h1 { font-size: 34px; line-height: 1.15; margin: 0 0 12px; letter-spacing: -0.02em; }
    h2 { font-size: 22px; margin: 0 0 8px; letter-spacing: -0.01em; }
    h3 { font-size: 16px; margin: 20px 0 4px; }
    p { margin: 0 0 12px; max-width: 72ch; }
    section { margin-top: 48px; }
    .kicker { color: var(--soft); text-transform: uppercase; letter-spacing: 0.08em; font-size: 12px; margin: 0 0 6px; }
    .lead { font-size: 18px; }
    .facts { color: var(--soft); font-size: 14px; max-width: none; }
    .whole-word { white-space: nowrap; }
    .warning { border: 1px solid var(--bad); color: var(--bad); padding: 8px 12px; border-radius: 8px; }
    .cards { display: grid; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); gap: 12px; margin-top: 24px; }
    @media (max-width: 720px) { .cards { grid-template-columns: 1fr; } }
    .card { background: var(--panel); border: 1px solid var(--rule); border-radius: 12px; padding: 16px;
      display: flex; flex-direction: column; }
    .figure { font-size: 30px; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
    .label { font-size: 14px; } .note { font-size: 13px; color: var(--soft); margin-top: 4px; }
    .legend { color: var(--soft); font-size: 14px; display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
    .dot { width: 11px; height: 11px; border-radius: 50%; background: var(--own); display: inline-block; }
    .dot.whole { background: var(--panel); border: 2.5px solid var(--own); margin-left: 12px; }
    .line { width: 20px; height: 3px; border-radius: 2px; background: var(--own); display: inline-block; }
    .line.peer { background: var(--peer); margin-left: 12px; }
    .chooser > input { position: absolute; opacity: 0; }
    .chooser > input:focus-visible ~ .tabs { outline: 2px solid var(--own); outline-offset: 3px; }
    .tabs { display: inline-flex; border: 1px solid var(--rule); border-radius: 9px; padding: 3px; gap: 2px;
      background: var(--panel); margin-bottom: 12px; }
    .tabs label { padding: 4px 14px; border-radius: 6px; font-size: 14px; cursor: pointer; }
    .panel { display: none; background: var(--panel); border: 1px solid var(--rule); border-radius: 12px; padding: 12px; }
    .scroll { overflow-x: auto; }
    svg { display: block; width: 100%; height: auto; min-width: 620px; font: 12.5px system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
    svg text { fill: var(--ink); } svg .axis { fill: var(--soft); font-size: 11.5px; }
    svg .group { fill: var(--soft); font-size: 11px; letter-spacing: 0.06em; text-transform: uppercase; }
    svg .grid { stroke: var(--grid); stroke-width: 1; } svg .one { stroke: var(--soft); stroke-width: 1.5; }
    svg .stem { stroke: var(--rule); stroke-width: 1; }
    svg .spread { stroke-width: 2.5; stroke-linecap: round; opacity: 0.55; }
    svg .ahead { stroke: var(--good); fill: var(--good); } svg .behind { stroke: var(--bad); fill: var(--bad); }
    svg .hollow { fill: var(--panel); stroke-width: 2.5; }
    svg .value { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
    svg .own-line { stroke: var(--own); fill: none; stroke-width: 2; }
    svg .peer-line { stroke: var(--peer); fill: none; stroke-width: 2; }
    svg .own-mark { fill: var(--own); stroke: none; } svg .peer-mark { fill: var(--peer); stroke: none; }
    svg .own-box { fill: var(--own-wash); stroke: var(--own); } svg .peer-box { fill: var(--peer-wash); stroke: var(--peer); }
    svg .own-tick { stroke: var(--own); opacity: 0.45; } svg .peer-tick { stroke: var(--peer); opacity: 0.45; }
    .multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 12px; }
    .multiples svg { min-width: 0; }
    figure { margin: 0; background: var(--panel); border: 1px solid var(--rule); border-radius: 10px; padding: 10px; }
    figcaption { font-size: 13px; font-weight: 600; margin-bottom: 2px; }
    table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
    th { text-align: left; color: var(--soft); font-weight: 500; }
    th, td { padding: 5px 7px; border-bottom: 1px solid var(--rule); white-space: nowrap; }
    th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
    .n { text-align: right; } small { color: var(--soft); }
    .faster { color: var(--good); font-weight: 600; } .slower { color: var(--bad); font-weight: 600; }
    details { border: 1px solid var(--rule); border-radius: 10px; background: var(--panel); margin: 10px 0;
      padding: 0 14px; }
    summary { cursor: pointer; padding: 10px 0; font-weight: 600; }
    details[open] { padding-bottom: 12px; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12.5px; line-height: 1.55; margin: 0; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; font-size: 14px; margin: 0; }
    dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
    """
}
