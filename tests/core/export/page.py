"""Reading an exported page as a browser would, and saying what in it is not ours."""

from __future__ import annotations

from html.parser import HTMLParser

ALLOWED = {
    "html": {"lang"}, "head": set(), "meta": {"charset", "http-equiv", "content", "name"}, "title": set(),
    "style": set(), "body": {"class"}, "nav": set(), "h1": set(), "h2": set(), "ol": set(), "li": set(),
    "a": {"href", "class", "rel"}, "header": set(), "main": set(), "footer": set(), "p": {"class"},
    "span": {"class"}, "article": {"class", "id"}, "div": {"class"}, "details": {"open"}, "summary": set(),
    "pre": set(), "code": set(), "b": set(), "mark": set(), "script": set(),
}  # fmt: skip
"""Elements of a page and their attributes; nothing else may come out of a session."""

VOID = {"meta"}


class Page(HTMLParser):
    """A page: what is wrong with it, its anchors and links, and the text of each article."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.policy = ""
        self.texts: dict[str, str] = {}
        self.everything = ""
        self._article = ""
        self.feed(page)
        self.close()
        self.faults += [f"{tag} is never closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag not in ALLOWED:
            self.faults.append(f"<{tag}>")
        self.faults += [f"<{tag} {name}>" for name in values if name not in ALLOWED.get(tag, set())]
        if len(values) != len(attrs):
            self.faults.append(f"<{tag}> repeats an attribute")
        self.links += [href for name, href in attrs if name == "href" and href]
        if tag == "article":
            self._article = values["id"] or ""
            self.ids.append(self._article)
            self.texts[self._article] = ""
        if tag == "div":
            self.texts[self._article] += "\n"
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif self.open and self.open[-1] != "style":
            self.everything += data
            if "article" in self.open:
                self.texts[self._article] += data

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"<!--{data}-->")

    def handle_pi(self, data: str) -> None:
        self.faults.append(f"<?{data}>")

    def unknown_decl(self, data: str) -> None:
        self.faults.append(f"<![{data}")
