"""The page, the sheet, and the tables of docs/fidelity.md."""

import html
import shutil

import numpy
from PIL import Image, ImageDraw, ImageFont

from measure import grounds
from reference import scaled

STYLE = """body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.4em;
text-align:left;vertical-align:top}img{max-width:256px;background:repeating-conic-gradient(#ddd 0 25%,#fff 0 50%) 0/16px 16px}
.green{background:#dfd}.explained{background:#ffd}.red{background:#fdd}"""
COLOURS = {"green": "#2a2", "explained": "#b80", "red": "#c22"}


SHOWN = 256
"""The longest side of a picture on the page."""


def write_page(outcomes, folder):
    """The page, its pictures as files beside it, and `cases.tsv` with every figure."""
    pictures = folder / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir()
    rows = "".join(page_row(outcome, pictures / str(index)) for index, outcome in enumerate(outcomes))
    (folder / "cases.tsv").write_text("".join(outcome.line + peers_text(outcome) + "\n" for outcome in outcomes))
    (folder / "index.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>Fidelity</title><style>{STYLE}</style><h1>Fidelity</h1><table>"
        f"<tr><th>case<th>ours<th>reference<th>difference, four times<th>figure<th>peers</tr>{rows}</table>")


def peers_text(outcome):
    return "".join(f"\t{name} {peer.state} {peer.figure_text} {peer.words}".rstrip() for name, peer in outcome.peers.items())


def page_row(outcome, stem):
    case = outcome.case
    peers = "<br>".join(f"<span class={peer.state}>{name} {peer.figure_text}</span> {html.escape(peer.words)}"
                        for name, peer in outcome.peers.items())
    return (f"<tr><td><b>{html.escape(case.name)}</b><br>{html.escape(outcome.source)}<br>{case.box} {case.fit} "
            f"{' '.join(case.options)}<td>{tag(outcome.ours, stem, 'ours')}<td>{tag(outcome.reference, stem, 'reference')}"
            f"<td>{tag(difference(outcome), stem, 'difference')}"
            f"<td class={outcome.state}>{outcome.figure_text}<br>{outcome.bound_text}<br>{html.escape(outcome.words)}"
            f"<br>{html.escape(case.reason)}<td>{peers}</tr>\n")


def tag(picture, stem, what):
    if picture is None:
        return "–"
    image = Image.fromarray(picture)
    if max(image.size) > SHOWN:
        image.thumbnail((SHOWN, SHOWN), Image.BOX)
    has_alpha = image.mode == "RGBA"
    path = stem.with_name(f"{stem.name}-{what}.{'png' if has_alpha else 'jpg'}")
    image.save(path, **({} if has_alpha else {"quality": 90, "subsampling": 0}))
    return f'<img src="{path.parent.name}/{path.name}" loading=lazy>'


def difference(outcome):
    """Four times the absolute difference, over white."""
    if outcome.ours is None or outcome.reference is None:
        return None
    height, width = outcome.reference.shape[:2]
    pair = [grounds(picture)[0] for picture in (scaled(outcome.ours, width, height), outcome.reference)]
    return (4 * numpy.abs(pair[0] - pair[1])).clip(0, 255).astype(numpy.uint8)


CELL, LABEL, ACROSS = 128, 30, 4


def write_sheet(outcomes, folder):
    """Ours, the reference and the difference of every case, side by side, under its name."""
    rows = -(-len(outcomes) // ACROSS)
    block_width, block_height = 3 * CELL + 16, CELL + LABEL
    sheet = Image.new("RGB", (ACROSS * block_width, max(1, rows) * block_height), "#eee")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default()
    for index, outcome in enumerate(outcomes):
        left, top = index % ACROSS * block_width, index // ACROSS * block_height
        for column, picture in enumerate((outcome.ours, outcome.reference, difference(outcome))):
            paste(sheet, picture, left + column * CELL, top + LABEL)
        text = f"{outcome.domain}: {outcome.case.name}"
        draw.rectangle((left, top, left + 8, top + LABEL - 4), COLOURS[outcome.state])
        draw.text((left + 12, top + 1), plain(text), "black", font)
        draw.text((left + 12, top + 13), plain(f"{outcome.figure_text}  {outcome.source} {outcome.words}"), "#555", font)
    sheet.save(folder / "sheet.png")


def plain(text):
    """The text without characters that the built-in font lacks."""
    return text[:62].encode("latin-1", "replace").decode("latin-1")


def paste(sheet, picture, left, top):
    if picture is None:
        return
    image = Image.fromarray(picture)
    image.thumbnail((CELL - 4, CELL - 4), Image.BOX)
    sheet.paste(image.convert("RGB"), (left, top), image if image.mode == "RGBA" else None)


START, END = "<!-- tables: written by make fidelity -->", "<!-- end of tables -->"


def write_summary(outcomes, path):
    """Replaces the tables in the document; its text stays."""
    text = path.read_text()
    before, after = text.split(START)[0], text.split(END)[1]
    path.write_text(before + START + "\n" + tables(outcomes) + END + after)


def tables(outcomes):
    domains = dict.fromkeys(outcome.domain for outcome in outcomes)
    lines = ["", "| | cases | green | explained | red |", "|---|---|---|---|---|"]
    for domain in domains:
        states = [outcome.state for outcome in outcomes if outcome.domain == domain]
        lines.append(f"| {domain} | {len(states)} | " + " | ".join(str(states.count(s)) for s in COLOURS) + " |")
    lines += ["", "### Not green", ""]
    poor = [outcome for outcome in outcomes if not outcome.is_green]
    lines += [f"- **{o.case.name}** ({o.source}): {o.figure_text}, {o.bound_text}. {o.words} {o.case.reason}".rstrip() for o in poor]
    lines += [] if poor else ["None."]
    lines += ["", "### Peers by the same references", ""]
    lines += peer_table(outcomes)
    return "\n".join(lines) + "\n"


def peer_table(outcomes):
    names = list(dict.fromkeys(name for outcome in outcomes for name in outcome.peers))
    lines = ["| tool | cases asked | within tolerance | compass on the same |", "|---|---|---|---|"]
    for name in names:
        asked = [outcome for outcome in outcomes if name in outcome.peers]
        green = sum(outcome.peers[name].is_green for outcome in asked)
        lines.append(f"| {name} | {len(asked)} | {green} | {sum(outcome.is_green for outcome in asked)} |")
    return lines
