"""What one episode leaves behind, graphs included."""


class EpisodeBuffer:
    def __init__(self):
        self.log_probs, self.values, self.entropies, self.rewards = [], [], [], []

    def add(self, log_prob, value, entropy):
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.entropies.append(entropy)

    def clear(self):
        for part in (self.log_probs, self.values, self.entropies, self.rewards):
            del part[:]
