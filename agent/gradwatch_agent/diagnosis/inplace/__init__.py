"""`inplace-modified`: which statement changed what backward still needed."""
