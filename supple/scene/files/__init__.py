"""Scene files and the file formats of others: TOML, meshes, tetrahedra, glTF, USD, sewing patterns."""
