class Windows:
    """Length of truncated backprop, longer with every stage; the last stage stays."""

    def __init__(self, lengths, steps_each):
        self.lengths = lengths
        self.steps_each = steps_each

    def current(self, t):
        return self.lengths[min(t // self.steps_each, len(self.lengths) - 1)]

    def boundary(self, t):
        stage = min(t // self.steps_each, len(self.lengths) - 1)
        return (t - stage * self.steps_each) % self.lengths[stage] == 0
