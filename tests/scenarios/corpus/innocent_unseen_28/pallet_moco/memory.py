from collections import deque

import torch


class CrossBatchMemory(object):
    """Embeddings of the last batches. They are data: no gradient goes through them."""

    def __init__(self, batches):
        self.items = deque(maxlen=batches)

    def push(self, embeddings, labels):
        self.items.append((embeddings.detach().clone(), labels.clone()))

    def get(self):
        keys, labels = zip(*self.items)
        return torch.cat(keys), torch.cat(labels)
