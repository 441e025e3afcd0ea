# gradwatch-corpus: kind=graph-held
# holder: self.series["spectral"] | store.series["spectral"] | self.store.series["spectral"] | session.store.series["spectral"] | self.series | store.series | self.store.series | session.store.series
# first-bad: 1
"""Tiny vocoder: mel-like frames to waveform chunks, multi-resolution spectral loss."""
import torch

from lib.bus import EventBus
from lib.metrics import SeriesStore
from lib.model import UpsampleVocoder
from lib.model import spectral_distance
from lib.session import Session
from lib.session import SessionConfig


def synth_batch(gen, cfg):
    base = torch.rand(cfg.batch, 1, generator=gen) * 0.3 + 0.05
    t = torch.arange(cfg.frames * cfg.hop).float()
    wave = torch.sin(base * t) * 0.7
    wave = wave + 0.2 * torch.sin(base * 2 * t)
    chunks = wave.view(cfg.batch, cfg.frames, cfg.hop)
    cond = torch.fft.rfft(chunks, dim=-1).abs()
    return cond.transpose(1, 2), wave


def main():
    torch.manual_seed(31)
    cfg = SessionConfig()
    bus = EventBus()
    store = SeriesStore()
    store.attach(bus)
    model = UpsampleVocoder(cfg.hop // 2 + 1, cfg.hop, cfg.width)
    gen = torch.Generator().manual_seed(8)
    session = Session(model, spectral_distance, bus, store, cfg)
    session.run(lambda: synth_batch(gen, cfg))
    print("best spectral", round(store.lowest("spectral"), 4))


if __name__ == "__main__":
    main()
