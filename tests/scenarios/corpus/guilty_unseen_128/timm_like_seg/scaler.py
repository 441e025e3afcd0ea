import torch


class NativeStep:
    def __init__(self, clip=None):
        self.clip = clip

    def __call__(self, loss, optimizer, parameters):
        loss.backward(retain_graph=True)  # <- culprit
        norm = torch.nn.utils.clip_grad_norm_(parameters, self.clip or float("inf"))
        optimizer.step()
        return norm
