# gradwatch-corpus: kind=graph-held
# holder: self.bins | self.bins[name] | engine.attached[1].bins | self.attached[1].bins | p.bins
# first-bad: 1
"""Continual pre-training of a small 1-D conv encoder on streamed seismometer windows."""
from stream import WaveformStream
from network import SeisEncoder
from engine import Engine, EngineConfig
from plugins import PLUGINS


def main():
    cfg = EngineConfig(max_steps=300, steps_per_epoch=None, plugins=["console", "layer_stats"])
    net = SeisEncoder(channels=12)
    engine = Engine(net, WaveformStream(batch=12, length=160), cfg)
    for key in cfg.plugins:
        engine.attach(PLUGINS[key]())
    engine.fit()


if __name__ == "__main__":
    main()
