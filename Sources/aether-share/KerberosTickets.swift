import Glibc

/// The tickets of Kerberos that a person has got (`kinit`, or the login to the desktop).
enum KerberosTickets {
    /// Whether there may be some: where the environment says, or at the place where they lie without a word. Where there are none, Kerberos is
    /// not begun with: it may ask name servers for a realm first.
    static var areThere: Bool { getenv("KRB5CCNAME") != nil || access("/tmp/krb5cc_\(getuid())", R_OK) == 0 }
}
