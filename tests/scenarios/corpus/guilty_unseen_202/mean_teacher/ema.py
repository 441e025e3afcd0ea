from torch.func import functional_call


class MeanTeacher:
    """Exponential moving average of a student, evaluated functionally."""

    def __init__(self, student, decay=0.99):
        self.student = student
        self.decay = decay
        self.step = 0
        self.shadow = {k: p.detach().clone() for k, p in student.named_parameters()}

    def update(self):
        self.step += 1
        d = min(self.decay, 1 - 1 / (self.step + 1))
        for k, p in self.student.named_parameters():
            self.shadow[k] = p.lerp(self.shadow[k], d)  # <- culprit

    def __call__(self, x):
        return functional_call(self.student, self.shadow, (x,))
