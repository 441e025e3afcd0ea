"""Frames for the animation that is rendered when training is over."""


class Snapshots:
    def __init__(self, rows):
        self.rows = rows
        self.frames = []

    def take(self, step, points):
        self.frames.append((step, points[: self.rows]))  # <- culprit

    def radius(self):
        _, pts = self.frames[-1]
        return float(pts.norm(dim=1).mean())

    def bounds(self):
        lo = min(float(p.min()) for _, p in self.frames)
        hi = max(float(p.max()) for _, p in self.frames)
        return lo, hi
