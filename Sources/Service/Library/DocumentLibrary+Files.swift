public import Documents
public import Objects

extension DocumentLibrary {
    /// Opens a version's file for reading.
    ///
    /// - Throws: `notFound` where the file is gone; `quarantined`.
    public func open(_ document: Document) throws(DocumentError) -> any ObjectReader {
        if document.state == .quarantined { throw .quarantined }
        return try DocumentError.converting { () throws(ObjectError) in
            try objects.open(try ObjectPath(document.file.path))
        }
    }
}
