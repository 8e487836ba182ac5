public import Documents
public import Objects

extension DocumentLibrary {
    /// Opens a version's file for reading.
    ///
    /// - Throws: `notFound` where the file is gone; `quarantined`.
    public func open(_ document: Document) throws(DocumentError) -> any ObjectReader {
        try requireServed(document)
        return try DocumentError.converting { () throws(ObjectError) in
            try objects.open(try ObjectPath(document.file.path))
        }
    }

    /// Throws `quarantined` for a version whose content nobody gets, in whichever form.
    func requireServed(_ document: Document) throws(DocumentError) {
        if document.state == .quarantined { throw .quarantined(isInfected: document.failure != nil) }
    }
}
