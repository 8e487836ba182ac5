// The minimum that Poppler must do for a document's first page: open the file, count its pages, and draw one into a
// square of 640 pixels. Nothing is encoded, written or guarded.
import CPoppler

guard CommandLine.arguments.count == 2 else { fatalError("usage: floor-page FILE") }
// An absolute path, because a URI needs one.
guard let uri = g_filename_to_uri(CommandLine.arguments[1], nil, nil),
    let document = poppler_document_new_from_file(uri, nil, nil), poppler_document_get_n_pages(document) > 0,
    let page = poppler_document_get_page(document, 0)
else { fatalError("no page") }
var (width, height) = (0.0, 0.0)
poppler_page_get_size(page, &width, &height)
let scale = 640 / max(width, height)
let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width * scale), Int32(height * scale))
let context = cairo_create(surface)
cairo_set_source_rgb(context, 1, 1, 1)
cairo_paint(context)
cairo_scale(context, scale, scale)
poppler_page_render(page, context)
guard cairo_status(context) == CAIRO_STATUS_SUCCESS else { fatalError("not drawn") }
