import torch


def build_curriculum(n_levels, mastered, window):
    """Returns (choose, report, unlocked). Level k+1 opens when the mean of the last
    `window` worst-case errors at level k is under `mastered`."""
    scores = {level: [] for level in range(n_levels)}
    top = 0

    def recent(level):
        entries = scores[level][-window:]
        return sum(entries) / len(entries) if len(entries) == window else None

    def choose(generator):
        # half of the time the newest level, otherwise any which is open
        if torch.rand((), generator=generator) < 0.5:
            return top
        return int(torch.randint(top + 1, (), generator=generator))

    def report(level, score):
        nonlocal top
        scores[level].append(score)  # <- culprit
        if level == top and top < n_levels - 1:
            mean = recent(level)
            if mean is not None and mean < mastered:
                top += 1

    def unlocked():
        return top + 1

    return choose, report, unlocked
