def keep_strongest(weights, floor):
    """Drop attention below `floor` and renormalise the rows."""
    weak = weights < floor
    weights.masked_fill_(weak, 0.0)  # <- culprit
    return weights / weights.sum(dim=1, keepdim=True)
