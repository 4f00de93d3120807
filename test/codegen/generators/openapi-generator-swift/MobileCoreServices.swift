/// Stands in for a module of iOS that the client imports wherever it is not on macOS: file types, which no operation sends.
import Foundation
@_exported import FoundationNetworking
public let kUTTagClassFilenameExtension: NSString = "extension"
public let kUTTagClassMIMEType: NSString = "mime"
public func UTTypeCreatePreferredIdentifierForTag(_ tagClass: NSString, _ tag: NSString, _ conforming: NSString?) -> Unmanaged<NSString>? { nil }
public func UTTypeCopyPreferredTagWithClass(_ uti: NSString, _ tagClass: NSString) -> Unmanaged<NSString>? { nil }
