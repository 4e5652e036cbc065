"""The client's files and its addresses over HTTP."""

from __future__ import annotations

from typing import Final

from litestar import Response, get

from triptych.rules.load import preset_names
from triptych.server.web.page import File, is_address
from triptych.server.web.services import AnyRequest, Desk, Services
from triptych.server.wire.errors import Refusal


@get(["/", "/{path:path}"])
async def page(services: Desk, request: AnyRequest) -> Response[bytes]:
    """Return a file of the client, or the client itself: 200 for an address that is there, 404 for another one."""
    path = request.url.path
    if path == "/api" or path.startswith("/api/"):
        raise Refusal("request.unknown", f"there is nothing at {path}", status=404)
    if not services.page.built:
        raise Refusal("server.not_built", "this server was installed without the client", status=404)
    file = services.page.file(path)
    if file is not None:
        return _sent(request, file, 200)
    if "." in path.rpartition("/")[2]:
        raise Refusal("request.unknown", f"there is nothing at {path}", status=404)
    return _sent(request, services.page.index, 200 if await _is_there(services, path) else 404)


async def _is_there(services: Services, path: str) -> bool:
    """Tell whether an address of the client leads somewhere."""
    if not is_address(path):
        return False
    first, _, second = path.strip("/").partition("/")
    if first == "t":
        try:
            await services.tables.find(second)
        except Refusal:
            return False
    return not (first == "rules" and second and second not in preset_names() and not second.startswith("~"))


def _sent(request: AnyRequest, file: File, status: int) -> Response[bytes]:
    encoding, content = file.encoded(request.headers.get("accept-encoding", ""))
    etag = f'"{file.etag}-{encoding}"' if encoding else f'"{file.etag}"'
    headers = {"ETag": etag, "Cache-Control": file.caching, "Content-Type": file.kind}
    if file.squeezed:
        headers["Vary"] = "Accept-Encoding"
    if encoding:
        headers["Content-Encoding"] = encoding
    if status == 200 and etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    return Response(content, status_code=status, headers=headers)


HANDLERS: Final = (page,)
