// `import AetherEngine` alone is enough: the types that its public API names come along from here, and from nowhere else.
@_exported public import AetherCore
@_exported public import AetherFormats
@_exported public import AetherMedia
@_exported public import AetherSources
