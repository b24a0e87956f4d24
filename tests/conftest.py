"""Being here puts this folder on the import path, so that tests in folders below find helpers."""
