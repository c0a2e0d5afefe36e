import Testing

@testable import AetherSources

/// The versions of HTTP that are offered to servers.
@Suite struct HTTPVersionsTests {
    private static let origin = WebOrigin(scheme: "https", host: "h", port: 443)

    @Test(
        arguments: [
            (#"h3=":443"; ma=86400"#, true), (#"h2=":443", h3=":443""#, true), (#"h3-29=":443""#, false),
            (#"h3=":8443""#, false), (#"h3="other:443""#, false), ("clear", false), ("", false), ("h3", false),
        ])
    func http3IsOfferedToWhoSpeaksIt(_ services: String, _ isOffered: Bool) {
        var versions = HTTPVersions(speaksHTTP3: true)
        #expect(!versions.offersHTTP3(to: Self.origin, isProxied: false))
        versions.heard(services, from: Self.origin)
        #expect(versions.offersHTTP3(to: Self.origin, isProxied: false) == isOffered)
    }

    @Test func neitherThroughProxiesNorToOthersNorWithoutTheLibrary() {
        let word = #"h3=":443""#, plain = WebOrigin(scheme: "http", host: "h", port: 443)
        var versions = HTTPVersions(speaksHTTP3: true)
        versions.heard(word, from: Self.origin)
        versions.heard(word, from: plain)
        #expect(!versions.offersHTTP3(to: Self.origin, isProxied: true))
        #expect(!versions.offersHTTP3(to: plain, isProxied: false))
        #expect(!versions.offersHTTP3(to: WebOrigin(scheme: "https", host: "h", port: 8443), isProxied: false))
        var old = HTTPVersions(speaksHTTP3: false)
        old.heard(word, from: Self.origin)
        #expect(!old.offersHTTP3(to: Self.origin, isProxied: false))
    }

    @Test func whereItCameToNothingItIsNotOfferedAgain() {
        var versions = HTTPVersions(speaksHTTP3: true)
        versions.heard(#"h3=":443""#, from: Self.origin)
        versions.refused(by: Self.origin)
        versions.heard(#"h3=":443""#, from: Self.origin)
        #expect(!versions.offersHTTP3(to: Self.origin, isProxied: false))
    }

    @Test func serversWithoutEndAreNotRemembered() {
        var versions = HTTPVersions(speaksHTTP3: true)
        for number in 0...HTTPVersions.limit {
            versions.heard(#"h3=":443""#, from: WebOrigin(scheme: "https", host: "h\(number)", port: 443))
        }
        #expect(versions.offersHTTP3(to: WebOrigin(scheme: "https", host: "h0", port: 443), isProxied: false))
        let last = WebOrigin(scheme: "https", host: "h\(HTTPVersions.limit)", port: 443)
        #expect(!versions.offersHTTP3(to: last, isProxied: false))
    }
}
