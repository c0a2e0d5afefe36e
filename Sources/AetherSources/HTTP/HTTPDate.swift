import CCurl

/// Dates in the fields of an answer (RFC 9110, 5.6.7), in any of their three forms.
enum HTTPDate {
    /// Seconds since 1970; nil for what is no date.
    static func seconds(_ text: String) -> Int64? {
        guard text.utf8.count <= 64 else { return nil }
        let time = curl_getdate(text, nil)
        return time < 0 ? nil : Int64(time)
    }
}
