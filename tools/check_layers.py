#!/usr/bin/env python3
"""Layers include only what stands to their left, rooms of a layer too; public headers name no other library, and LLVM is known to `compile` alone."""

import re

import house

# From mathematics to machine. Layers of one row do not see each other.
ORDER = (
    ("expr",),
    ("algebra", "robot"),
    ("forms",),
    ("model",),
    ("mechanics",),
    ("unilateral", "structure"),
    ("compile",),
    ("simulate",),
    ("report",),
    ("mechanism",),
    ("cli", "python", "studio"),
)
ROW = {layer: row for row, layers in enumerate(ORDER) for layer in layers}
# Folders of a layer with several subjects. A public header belongs to the room of the source of its name.
ROOMS = {
    "simulate": (("equations",), ("methods",), ("run",), ("contacts",), ("time_stepping",),
                 ("claims", "files", "perturbation", "reference")),
    "report": (("look",), ("documents", "plots", "scene")),
}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^">]+)[>"]')
STANDARD = re.compile(r"[a-z_0-9]+")  # <vector>; the headers of other libraries have a dot or a folder


def layer_of(parts):
    """The layer of a path relative to the root, or None: include/liaison/forms/d.hpp and src/forms/d.cpp are forms."""
    if parts == ("include", "liaison", "liaison.hpp"):
        return "mechanism"
    if parts[:2] == ("include", "liaison") and len(parts) > 3:
        return parts[2]
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return None


def allowed(layer, included):
    return layer == included or ROW[included] < ROW[layer]


def room_of(root, layer, path):
    """The room of a file of the layer, named by its parts below src/LAYER or include/liaison/LAYER, or None."""
    if len(path) > 1:
        return path[0]
    stem = path[0].rsplit(".", 1)[0]
    found = [place.parent.name for place in (root / "src" / layer).glob(f"*/{stem}.cpp")]
    return found[0] if found else None


def room_allowed(layer, room, included):
    """Without a room: a header of the layer that names what several rooms share."""
    row = {name: number for number, names in enumerate(ROOMS[layer]) for name in names}
    return room is None or included is None or room == included or row[included] < row[room]


def check_rooms(root, name, place, included):
    layer = layer_of(name.parts)
    room = room_of(root, layer, name.parts[2 if name.parts[0] == "src" else 3 :])
    other = room_of(root, layer, tuple(included))
    if not room_allowed(layer, room, other):
        yield f"{place}: the room {room} of {layer} includes {other} (not allowed)"


def check(root):
    for path in house.files(root, house.CPP, ("include", "src")):
        name = path.relative_to(root)
        layer = layer_of(name.parts)
        if layer not in ROW:
            yield f"{name}:1: not in a known layer"
            continue
        for number, line in house.numbered_lines(path):
            match = INCLUDE.match(line)
            if not match:
                continue
            included = match.group(1).split("/")
            place = f"{name}:{number}"
            if included[0] == ".." or ".." in included:
                yield f"{place}: {match.group(1)} leaves its folder (not allowed)"
            elif included[0] == "liaison" and len(included) > 2:
                if included[1] not in ROW:
                    yield f"{place}: {included[1]} is not a layer"
                elif not allowed(layer, included[1]):
                    yield f"{place}: {layer} includes {included[1]} (not allowed)"
                elif layer == included[1] in ROOMS:
                    yield from check_rooms(root, name, place, included[2:])
            elif name.parts[0] == "include" and included[0] != "liaison" and not STANDARD.fullmatch(match.group(1)):
                yield f"{place}: a public header includes {match.group(1)} (only the standard library and liaison/)"
            elif layer in ROOMS and included[0] == layer:
                yield from check_rooms(root, name, place, included[1:])
            elif len(included) > 1 and included[0] in ROW and not allowed(layer, included[0]):
                yield f"{place}: {layer} includes {included[0]} (not allowed)"
            elif included[0] in ("llvm", "llvm-c") and name.parts[:2] != ("src", "compile"):
                yield f"{place}: {layer} includes LLVM (only src/compile may)"


if __name__ == "__main__":
    house.main(check, __doc__)
