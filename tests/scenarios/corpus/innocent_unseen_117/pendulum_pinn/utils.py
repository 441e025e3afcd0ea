from collections import deque


class RunLog:
    def __init__(self, maxlen):
        self.recent = deque(maxlen=maxlen)   # whole tensors, only the last few
        self.c_path = []
        self.snaps = []
        self.last = None

    def add(self, loss, parts, c):
        self.recent.append(loss)
        self.last = dict(parts)
        self.c_path.append(c.detach().clone())

    def snapshot(self, net):
        self.snaps.append({k: v.clone() for k, v in net.state_dict().items()})

    def drift(self):
        return [sum((a[k] - b[k]).norm().item() for k in a) for a, b in zip(self.snaps, self.snaps[1:])]

    def __str__(self):
        m = sum(self.recent) / len(self.recent)
        return 'mean %.4f ode %.4f c %.3f' % (m.item(), self.last['ode'].item(), self.c_path[-1].item())
