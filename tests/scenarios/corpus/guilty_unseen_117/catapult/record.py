from collections import namedtuple

Frame = namedtuple('Frame', 'shot t x y')


class Recorder:
    """collects positions so that I can make the matplotlib animation later"""

    def __init__(self, every=1):
        self.every = every
        self.frames = []

    def __call__(self, shot, t, x, y):
        if t % self.every == 0:
            self.frames.append(Frame(shot, t, x, y))  # <- culprit

    def animate(self, shot):
        # no display on the server, print the path instead
        fr = [f for f in self.frames if f.shot == shot]
        print('path of shot', shot, ' '.join('(%.1f,%.1f)' % (f.x[0].item(), f.y[0].item()) for f in fr))
