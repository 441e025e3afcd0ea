def smooth(value, window=20, _seen=[]):
    """Mean of the last `window` values."""
    _seen.append(value)  # <- culprit
    recent = _seen[-window:]
    return (sum(recent) / len(recent)).item()
