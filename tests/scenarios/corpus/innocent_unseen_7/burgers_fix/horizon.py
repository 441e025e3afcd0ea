def horizon_plan(longest, patience=0.98):
    """Closure: lengthens the roll-out when the smoothed error falls below a bar; remembers its history."""
    length, smooth, history = 1, None, []

    def ask(err=None, step=0):
        nonlocal length, smooth
        if err is not None:
            history.append(err)
            smooth = err if smooth is None else patience * smooth + (1 - patience) * err
            if step % 22 == 21:
                length = min(longest, length + 1)
        return length

    ask.history = history
    return ask
