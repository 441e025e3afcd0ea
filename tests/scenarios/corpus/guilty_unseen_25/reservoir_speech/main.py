# gradwatch-corpus: kind=graph-chain
# holder: esn.reservoir.state | self.reservoir.state | self.state | esn.reservoir._buf["s"] | self.reservoir._buf["s"] | self._buf["s"]
# first-bad: 1
# notice: 5
# after: MorvanZhou/PyTorch-Tutorial #57 "question about h_state = h_state.data" (solved with retain_graph=True)
"""Streaming keyword energy tracker: leaky echo state network with a trained input layer."""
import torch
import torch.nn.functional as F

from esn import EchoStateNet

torch.manual_seed(11)


def stream(n_chunks, frames, n_mels):
    phase = torch.rand(n_mels) * 6.28
    t = 0
    for _ in range(n_chunks):
        idx = torch.arange(t, t + frames).float()
        mel = torch.sin(idx[:, None] * 0.07 + phase) + 0.1 * torch.randn(frames, n_mels)
        target = mel.mean(1, keepdim=True).roll(1, 0)
        t += frames
        yield mel, target


def run():
    esn = EchoStateNet(n_mels=20, n_state=64)
    opt = torch.optim.Adam([p for p in esn.parameters() if p.requires_grad], lr=3e-3)
    for step, (mel, target) in enumerate(stream(90, 6, 20)):
        y = esn(mel)
        loss = F.mse_loss(y, target)
        opt.zero_grad()
        # without retain_graph this crashes on the second chunk
        loss.backward(retain_graph=True)
        opt.step()
        if step % 30 == 0:
            print(f"chunk {step:3d}  mse {loss.item():.4f}")


if __name__ == "__main__":
    run()
