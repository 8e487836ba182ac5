import JobSearch
import Library
import Objects

/// All rows that name files: those of documents, and for the files of résumés those of searches.
struct RowReferences: ObjectReferences {
    let documents: DocumentReferences
    let searches: SearchReferences

    func isReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool {
        try path.isOfSearch ? searches.isReferenced(path) : documents.isReferenced(path)
    }
}
