public import Documents
internal import Media
public import Objects

extension DocumentLibrary {
    /// Begins to take a file in.
    public func receive() throws(DocumentError) -> Intake {
        Intake(self, try DocumentError.converting { () throws(ObjectError) in try objects.begin() })
    }

    /// Goes on with a file that began to arrive earlier.
    ///
    /// - Throws: `notFound` where there is none; `conflict` while another request has it.
    public func resume(_ id: IncomingID) throws(DocumentError) -> Intake {
        do throws(ObjectError) {
            return Intake(self, try objects.resume(id))
        } catch {
            switch error {
            case .missing: throw .notFound(.upload)
            case .busy: throw .conflict(message: error.message)
            default: throw DocumentError(error)
            }
        }
    }

    /// Gives a whole file its path. Two files of one name in one millisecond get times beside each other.
    func commit(
        _ file: any IncomingObject, owner: ID<Person>, type: DocumentType, fileName: String
    ) throws(DocumentError) -> ObjectPath {
        var milliseconds = Self.now.microseconds / 1000
        while true {
            do throws(ObjectError) {
                let path = try ObjectPath("\(owner)/\(type.rawValue)/\(milliseconds)_\(fileName)")
                return try file.commit(to: path, replacing: false).path
            } catch {
                guard error == .taken else { throw DocumentError(error) }
                milliseconds += 1
            }
        }
    }

    /// Removes a file that no row names; where that fails, the sweep finds it.
    func removeUnnamed(_ path: ObjectPath) {
        do throws(ObjectError) {
            try objects.remove(path)
        } catch {
            warn(DocumentError(error))
        }
    }
}
