"""Day-ahead load forecasting for substations."""
