"""`graph-chain`: by which name, and in which statement, earlier iterations come into this one."""
