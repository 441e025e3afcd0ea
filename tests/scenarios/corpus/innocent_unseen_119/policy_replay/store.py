import torch


def _plain(v):
    return v.detach().clone() if torch.is_tensor(v) else torch.tensor(float(v))


class Store(list):
    def push(self, *transition):
        self.append(tuple(_plain(v) for v in transition))

    def sample(self, n):
        idx = torch.randint(len(self), (n,)).tolist()
        return [torch.stack(c) for c in zip(*(self[i] for i in idx))]
