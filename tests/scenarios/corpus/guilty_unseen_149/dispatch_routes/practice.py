class HardestBatch:
    def __init__(self, every):
        self.every = every
        self.worst = None
        self.level = float("-inf")
        self.practised = 0

    def see(self, loss, day):
        level = loss.item()
        if level > self.level:
            self.worst, self.level = loss, level  # <- culprit
        if day % self.every == 0:
            self.practise()

    def practise(self):
        self.worst.backward()  # <- culprit
        self.practised += 1
        self.worst, self.level = None, float("-inf")
