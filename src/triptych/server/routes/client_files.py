"""The routes of the client's files and pages."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.rulesets.load import preset_names
from triptych.server.edge.rate_limits import PICTURES
from triptych.server.endpoint import endpoint
from triptych.server.services import AnyRequest, Services, ServicesDep, address_of
from triptych.server.static.client_files import StaticFile, client_route_preview
from triptych.server.static.preview import ANY_PAGE, BACKGROUND, HIDDEN_TABLE, Preview, base_url, table_preview
from triptych.server.wire.errors import ApiError
from triptych.table.host import acting_host

_PRESET_PAGES: Final = ("rules", "analyse", "solo", "duplicate")  # pages with a preset in their address


@get(["/", "/{path:path}"])
async def page(services: ServicesDep, request: AnyRequest) -> Response[bytes]:
    """Return a file of the client, or its index page; the status is 404 or 410 if there is no such page."""
    path = request.url.path
    if path == "/api" or path.startswith("/api/"):
        raise ApiError("request.unknown", Message("error.page.not_found", path=path), status=404)
    if not services.client_files.built:
        raise ApiError("server.not_built", "this server was installed without the client", status=404)
    file = services.client_files.file(path)
    if file is not None:
        return _file_response(request, file, 200)
    if "." in path.rpartition("/")[2]:
        raise ApiError("request.unknown", Message("error.page.not_found", path=path), status=404)
    preview, status = await _preview(services, path)
    base = base_url(request.url.scheme, request.headers.get("host", ""))
    return _file_response(request, services.client_files.render_index(preview, base, path), status)


@get("/api/tables/{table:str}/preview.png", opt=endpoint("image/png", guest=False))
async def picture(services: ServicesDep, request: AnyRequest, table: FromPath[str]) -> Response[bytes]:
    """Return the preview picture of a table's link; an unlisted table has the site's picture."""
    preview = await _table_preview(services, table)
    if preview.picture == BACKGROUND:
        raise ApiError("request.unknown", "this table has no picture of its own", status=404)
    services.addresses.acquire(PICTURES, address_of(request))
    content = await services.preview_images.get(preview.lines)
    if content is None:
        raise ApiError("server.not_built", "this server was installed without the client", status=404)
    return Response(content, headers={"Content-Type": "image/png", "Cache-Control": "public, max-age=3600"})


async def _preview(services: Services, path: str) -> tuple[Preview, int]:
    """Return the preview of a link to a page of the client, and its status."""
    preview = client_route_preview(path)
    if preview is None:
        return ANY_PAGE, 404
    first, _, second = path.strip("/").partition("/")
    if first == "t":
        try:
            return await _table_preview(services, second), 200
        except ApiError as error:
            return ANY_PAGE, _missing_status(error)
    if first == "cup":
        try:
            await services.tournaments.find(second)
        except ApiError as error:
            return ANY_PAGE, _missing_status(error)
    is_missing = first in _PRESET_PAGES and second and second not in preset_names() and not second.startswith("~")
    return (ANY_PAGE, 404) if is_missing else (preview, 200)


def _missing_status(error: ApiError) -> int:
    return 410 if error.status == 410 else 404


async def _table_preview(services: Services, table: str) -> Preview:
    """Return the preview of a link to a table. Raises ApiError when there is no such table."""
    state = (await services.tables.find(table)).state
    if state.config.private or state.password:
        return HIDDEN_TABLE
    player = acting_host(state)
    name = await services.guests.name(player) if player else ""
    rules = state.config.rules
    taken = sum(bool(seat.player) for seat in state.seats)
    game = rules.title or rules.name
    return table_preview(table, state.config.name, game, name, taken=taken, seats=len(state.seats))


def _file_response(request: AnyRequest, file: StaticFile, status: int) -> Response[bytes]:
    encoding, content = file.encoded(request.headers.get("accept-encoding", ""))
    etag = f'"{file.etag}-{encoding}"' if encoding else f'"{file.etag}"'
    headers = {"ETag": etag, "Cache-Control": file.caching, "Content-Type": file.kind}
    if file.encodings:
        headers["Vary"] = "Accept-Encoding"
    if encoding:
        headers["Content-Encoding"] = encoding
    if status == 200 and etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    return Response(content, status_code=status, headers=headers)


HANDLERS: Final = (picture, page)
