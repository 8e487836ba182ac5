/// The service's own résumé, for people who want to see what a search shows before they send their own. Its person is
/// fictional.
public enum SampleResume {
    /// As a person would have named it.
    public static let fileName = "Sample résumé.pdf"

    /// A PDF file.
    public static var bytes: [UInt8] { PackageResources.sample_resume_pdf }
}
