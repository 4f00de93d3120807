/** How the HTML report looks: system fonts, two columns where there is room, and colours for light and dark. */

/** A style sheet, to be put into the page. */
export const style = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --quiet: #57606a; --page: #fff; --box: #f6f8fa; --line: #d0d7de;
  --good: #116329; --bad: #a40e26; --good-box: #dafbe1; --bad-box: #ffebe9; --link: #0550ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --quiet: #9da7b3; --page: #0d1117; --box: #161b22; --line: #30363d;
    --good: #56d364; --bad: #ff8a80; --good-box: #12261e; --bad-box: #2d1416; --link: #79c0ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; color: var(--text); background: var(--page);
  font: 1rem/1.5 system-ui, sans-serif; }
header { padding: 1rem 1.25rem; border-radius: .5rem; border-left: .4rem solid; }
header.passed { background: var(--good-box); border-color: var(--good); }
header.failed { background: var(--bad-box); border-color: var(--bad); }
header p { margin: .25rem 0; }
.verdict { font-size: 1.6rem; font-weight: 700; line-height: 1.2; }
.passed .verdict { color: var(--good); }
.failed .verdict { color: var(--bad); }
h1 { margin: .25rem 0; font-size: 1.1rem; font-weight: 600; }
.server, code { overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; }
code { font: .875em/1.5 ui-monospace, monospace; }
article { margin: .75rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
article:target { border-color: var(--link); }
article p { margin: .35rem 0; }
.fix { padding: .35rem .6rem; border-radius: .25rem; background: var(--box); }
.count, .legend, dt { color: var(--quiet); font-weight: 400; font-size: .875rem; }
details { margin-top: .4rem; }
summary { cursor: pointer; font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .75rem; margin: .35rem 0 .35rem 1rem; }
dd { margin: 0; min-width: 0; }
dd code { white-space: pre-wrap; }
.operations { margin: 0; padding: 0; list-style: none; }
.operations li { display: flex; gap: .35rem 1rem; padding: .4rem 0; border-top: 1px solid var(--line); }
.name { flex: 0 0 13.5rem; }
.cells { display: flex; flex-wrap: wrap; gap: .3rem; min-width: 0; }
.cell { padding: 0 .45rem; border-radius: .25rem; background: var(--box); font-size: .875rem; white-space: nowrap; }
a.cell { text-decoration: underline; }
.cell.passed, .legend .passed { color: var(--good); }
.cell.failed, .legend .failed { color: var(--bad); }
.cell.failed { background: var(--bad-box); font-weight: 600; }
.cell.not-provoked, .cell.skipped { color: var(--quiet); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 36rem) {
  body { padding: .6rem; }
  .operations li { flex-direction: column; }
  .name { flex: none; }
  dl { grid-template-columns: 1fr; margin-left: 0; }
  dd { margin-bottom: .35rem; }
}
@media print { details:not([open]) > :not(summary) { display: block; } }
`;
