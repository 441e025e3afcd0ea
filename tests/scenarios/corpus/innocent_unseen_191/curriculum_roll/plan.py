import torch


class Curriculum:
    def __init__(self, milestones, review_every=25):
        self.milestones = milestones
        self.review_every = review_every
        self.phase = -1
        self.phase_losses = []
        self.best = float("inf")

    @property
    def horizon(self):
        return self.milestones[self.phase][1]

    def enter(self, update):
        nxt = self.phase + 1
        if nxt < len(self.milestones) and update >= self.milestones[nxt][0]:
            self.phase = nxt
            self.review()
            return True
        return False

    def log(self, loss):
        self.phase_losses.append(loss)
        if len(self.phase_losses) == self.review_every:
            self.review()

    def review(self):
        if self.phase_losses:
            mean = torch.stack(self.phase_losses).mean().item()
            self.best = min(self.best, mean)
        self.phase_losses = []

    def digest(self):
        return f"best window {self.best:.5f}"
