"""30-day readmission risk, multi-site."""
