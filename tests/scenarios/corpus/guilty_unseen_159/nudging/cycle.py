class Cycle:
    def __init__(self, model, gain, window):
        self.model, self.gain, self.window = model, gain, window

    def _forecast(self):
        return self.model(self.window.background)

    def _blend(self, fc, y, mask):
        return fc + self.gain() * mask * (y - fc)

    def _close(self, an):
        self.window.background = an  # <- culprit
        return an

    def _cost(self, an, fc, y):
        return (an - y).square().mean() + 0.05 * (an - fc).square().mean()

    def analyse(self, y, mask):
        fc = self._forecast()
        an = self._close(self._blend(fc, y, mask))
        return self._cost(an, fc, y)
