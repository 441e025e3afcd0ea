import torch


def sensor_feed(n):
    gravity = 1.0
    for t in range(n):
        temp, co2 = torch.randn(()).item(), torch.rand(()).item()
        gravity = 0.97 * gravity + 0.02 * temp + 0.03 * co2
        yield torch.tensor([temp, co2]), torch.tensor([gravity])


def normalise(scale):
    def stage(feed):
        for probe, gravity in feed:
            yield probe / scale, gravity

    return stage


def chunks(size):
    def stage(feed):
        held = []
        for row in feed:
            held.append(row)
            if len(held) == size:
                probe, gravity = zip(*held)
                yield torch.stack(probe)[:, None], torch.stack(gravity)
                held.clear()

    return stage


def compose(*stages):
    def run(feed):
        for stage in stages:
            feed = stage(feed)
        return feed

    return run
