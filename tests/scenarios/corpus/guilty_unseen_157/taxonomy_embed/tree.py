from functools import lru_cache

import torch


class Taxonomy:
    def __init__(self, branching, depth):
        self.parent = [0]
        level = [0]
        for _ in range(depth):
            following = []
            for node in level:
                for _ in range(branching):
                    following.append(len(self.parent))
                    self.parent.append(node)
            level = following
        self.parent_index = torch.tensor(self.parent)

    def __len__(self):
        return len(self.parent)

    def parents_of(self, children):
        return self.parent_index[children]

    def sample_children(self, count):
        return torch.randint(1, len(self), (count,))

    @lru_cache(maxsize=None)  # <- culprit
    def anchor_set(self, space, step, count):
        """Midpoints of random pairs; the same set wherever one step asks for it."""
        rng = torch.Generator().manual_seed(1000 + step)
        left = torch.randint(0, len(self), (count,), generator=rng)
        right = torch.randint(0, len(self), (count,), generator=rng)
        midpoint = 0.5 * (space(left) + space(right))
        return midpoint / (1 + midpoint.norm(dim=1, keepdim=True)).clamp_min(1.0)
