from collections import defaultdict

import torch.nn.functional as F


class GradientMonitor:
    """Looks at every weight matrix once its gradient is complete."""

    def __init__(self, net):
        self.history = defaultdict(list)
        self.handles = []
        for name, p in net.named_parameters():
            if p.dim() > 1:
                self.handles.append(p.register_post_accumulate_grad_hook(self.recorder(name)))

    def recorder(self, name):
        def hook(p):
            self.history[name].append(p.grad.flatten().clone())  # <- culprit

        return hook

    def agreement(self):
        result = {}
        for name, grads in self.history.items():
            if len(grads) > 1:
                result[name] = F.cosine_similarity(grads[-2], grads[-1], dim=0).item()
        return result

    def close(self):
        for handle in self.handles:
            handle.remove()
