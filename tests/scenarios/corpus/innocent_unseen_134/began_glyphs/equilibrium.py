class Equilibrium:
    """Proportional control of the balance between the two reconstruction errors."""

    def __init__(self, gamma, gain):
        self.gamma, self.gain = gamma, gain
        self.k = 0.0
        self.measure = []

    def combine(self, l_real, l_fake):
        return l_real - self.k * l_fake

    def update(self, l_real, l_fake):
        real, fake = l_real.item(), l_fake.item()
        gap = self.gamma * real - fake
        self.k = min(1.0, max(0.0, self.k + self.gain * gap))
        self.measure.append(real + abs(gap))
