"""The look of an exported page: tokens of both themes, the style sheet, and a few lines that unfold what is hit."""

from __future__ import annotations

from typing import Final

_DARK: Final = {
    "ground": "#14161b", "rail": "#181b21", "bar": "#1f232b", "raised": "#20242d", "line": "#2c313b",
    "text": "#d6d9df", "soft": "#b3b9c4", "muted": "#9aa1ae", "faint": "#878e9b", "accent": "#a79bf2",
    "user": "#e3b76b", "assistant": "#86b8e6", "system": "#a49aae", "input": "#6fc1a9", "output": "#a3afbd",
    "error": "#f17f85", "stored": "#d993cb", "match": "#f5d76e", "match-bg": "#453d1c",
}  # fmt: skip
_LIGHT: Final = {
    "ground": "#fcfbf9", "rail": "#f5f3ef", "bar": "#eae7e1", "raised": "#f0ede8", "line": "#d8d3ca",
    "text": "#24262c", "soft": "#43474f", "muted": "#5a5d65", "faint": "#686763", "accent": "#5546c0",
    "user": "#855400", "assistant": "#1d5fa5", "system": "#695f72", "input": "#0e6b54", "output": "#4f5b69",
    "error": "#b22937", "stored": "#963c86", "match": "#6a4d00", "match-bg": "#fbe9a6",
}  # fmt: skip


def _variables(tokens: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in tokens.items())


STYLE: Final = (
    f":root{{color-scheme:dark light;{_variables(_DARK)}}}\n"
    f"@media (prefers-color-scheme:light){{:root{{{_variables(_LIGHT)}}}}}\n"
    """\
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--text);
font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
code,pre,.id,time,.facts{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.87em}
a{color:inherit;text-decoration-color:var(--faint);text-underline-offset:.2em}
a:hover,a:focus-visible{color:var(--accent);text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header,main,footer{max-width:62rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:2.2rem;padding-bottom:1rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;font-weight:650}
.facts{margin:0;color:var(--muted);overflow-wrap:anywhere}
.facts span+span::before{content:"  ";white-space:pre}
footer{padding-top:2rem;padding-bottom:3rem;color:var(--muted)}
nav{padding:0 1.5rem}
nav h2{margin:.2rem 0 .5rem;font-size:.8rem;font-weight:600;color:var(--muted)}
nav ol{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.18rem .3rem .18rem 1.3rem;text-indent:-1.1rem;color:var(--soft);text-decoration:none;
overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-size:.87rem}
nav a::before{content:"\\25CF";color:var(--user);display:inline-block;width:1.1rem;text-indent:0}
article{margin:0;scroll-margin-top:1rem}
article.user{margin-top:2.2rem}
.head{display:flex;gap:0 .9rem;align-items:baseline;color:var(--faint)}
.head>*{white-space:nowrap}
.head .who{font-weight:600;max-width:18rem;overflow:hidden;text-overflow:ellipsis}
.head .what{flex:1 1 0;min-width:4rem;color:var(--soft);overflow:hidden;text-overflow:ellipsis}
.head .id{color:var(--muted);text-decoration:none}
.user>.head .who{color:var(--user)}.assistant>.head .who{color:var(--assistant)}.system>.head .who{color:var(--system)}
.input .who{color:var(--input)}.output .who{color:var(--output)}
.bad{color:var(--error)}.seen{color:var(--stored)}
.prose{white-space:pre-wrap;overflow-wrap:anywhere;padding:.1rem 0 .9rem}
.user>.prose{font-weight:560}
.system>.prose,.reasoning>.prose{color:var(--muted)}
.prose b{font-weight:680}.prose code{background:var(--raised);border-radius:3px;padding:.08em .3em}
pre{margin:.3rem 0 .6rem;padding:.7rem .9rem;background:var(--rail);border-radius:5px;overflow-x:auto;
white-space:pre;tab-size:4;line-height:1.45;max-height:70vh}
.prose pre{white-space:pre}
details>summary{cursor:pointer;list-style:none;border-radius:5px;padding:.08rem .5rem .08rem 1.4rem;position:relative;
margin:0 -.5rem}
.input+.user,.input+.assistant,.output+.assistant,.output+.system{margin-top:.9rem}
details>summary::-webkit-details-marker{display:none}
details>summary::before{content:"\\25B8";position:absolute;left:.4rem;color:var(--faint)}
details[open]>summary::before{content:"\\25BE"}
details>summary:hover{background:var(--raised)}
:target>.head,:target>details>summary{background:var(--raised);box-shadow:inset 3px 0 var(--accent)}
.cut,.notice{margin:0 0 .9rem;color:var(--stored);font-size:.87rem}
mark{background:var(--match-bg);color:var(--match);border-radius:3px;padding:0 .2em}
button{font:inherit;font-size:.8rem;color:var(--muted);background:var(--bar);border:0;border-radius:4px;
padding:.25rem .7rem;margin:.9rem .5rem 0 0;cursor:pointer}
button:hover{color:var(--text)}
@media (min-width:82rem){
body.told{display:grid;grid-template-columns:20rem minmax(0,1fr);grid-template-rows:auto 1fr auto}
nav{grid-column:1;grid-row:1/4;position:sticky;top:0;height:100vh;overflow-y:auto;background:var(--rail);
padding:1.5rem 1rem}
header,main,footer{grid-column:2;width:100%;margin:0 auto}
}
@media (max-width:82rem){nav{max-width:62rem;margin:0 auto 1rem}nav ol{max-height:14rem;overflow-y:auto}}
@media (max-width:48rem){.head{flex-wrap:wrap}.head .what{flex-basis:100%;order:9}}
@media print{details>summary::before,nav,button{display:none}pre{max-height:none;white-space:pre-wrap}}
"""
)
"""Grounds instead of boxes, four steps of text, colour for kinds and states only."""

SCRIPT: Final = """\
(()=>{
const all=()=>document.querySelectorAll("main details");
const shown=()=>{const hit=document.getElementById(decodeURIComponent(location.hash.slice(1)));
const fold=hit&&hit.querySelector("details");if(fold){fold.open=true;hit.scrollIntoView();}};
addEventListener("hashchange",shown);shown();
if(!all().length)return;
for(const[word,open]of[["unfold all",true],["fold all",false]]){
const button=document.createElement("button");button.textContent=word;
button.addEventListener("click",()=>{for(const each of all())each.open=open;});
document.querySelector("header").append(button);}
})();
"""
"""The page reads without it: it only opens what a link leads to, and folds all at once."""
