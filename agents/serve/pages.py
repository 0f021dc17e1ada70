"""The page's files, read once and served from memory: no request opens a file.  Knows no game."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

INDEX: Final = "index.html"
STYLE: Final = "board.css"  # of the pictures: it comes from the game


def page_files(style: str) -> dict[str, bytes]:
    """Every file of the page by its name."""
    folder = Path(str(resources.files(__package__ or "terracotta_agents.serve") / "static"))
    found = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    return {**found, STYLE: style.encode()}


def page_routes(files: Mapping[str, bytes]) -> list[Route]:
    """``/`` and one address for each file."""
    routes = [_route(f"/{name}", name, content) for name, content in files.items()]
    return [_route("/", INDEX, files[INDEX]), *routes]


def _route(address: str, name: str, content: bytes) -> Route:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if kind in ("text/javascript", "application/javascript"):
        kind = "text/javascript"  # not every system says so, and modules are refused under another name
    headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:24]}"'}

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return Route(address, serve, methods=["GET"])
