import torch
from torch import nn


class Relay(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ask = nn.Linear(width, width)
        self.tell = nn.Linear(width, 2 * width)
        self.join = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.norm_out = nn.LayerNorm(width)
        self.swell = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def attend(self, x, keys, values):
        q = self.split(self.ask(x))
        now = x.shape[1]
        before = keys.shape[2] - now
        mask = torch.ones(now, before + now, dtype=torch.bool).tril(before)
        heard = nn.functional.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
        return self.join(heard.transpose(1, 2).flatten(2))

    def forward(self, x, past):
        calm = self.norm(x)
        context = torch.cat([self.norm(past), calm], dim=1)
        keys, values = map(self.split, self.tell(context).chunk(2, dim=-1))
        x = x + self.attend(calm, keys, values)
        return x + self.swell(self.norm_out(x))

    def cached(self, x, cache):
        calm = self.norm(x)
        keys, values = map(self.split, self.tell(calm).chunk(2, dim=-1))
        if cache is not None:
            keys = torch.cat([cache[0], keys], dim=2)
            values = torch.cat([cache[1], values], dim=2)
        x = x + self.attend(calm, keys, values)
        return x + self.swell(self.norm_out(x)), (keys, values)


class Operator(nn.Module):
    def __init__(self, wire):
        super().__init__()
        self.wire = wire
        self.glyph = nn.Embedding(wire["symbols"], wire["width"])
        self.relays = nn.ModuleList([Relay(wire["width"], wire["heads"]) for _ in range(wire["layers"])])
        self.tap = nn.Linear(wire["width"], wire["symbols"])

    def blank(self):
        return [torch.zeros(self.wire["lines"], 0, self.wire["width"]) for _ in self.relays]

    def forward(self, symbols, memory):
        x = self.glyph(symbols)
        kept = []
        for relay, past in zip(self.relays, memory):
            joined = torch.cat([past, x.detach()], dim=1)
            kept.append(joined[:, -self.wire["memory"] :])
            x = relay(x, past)
        return self.tap(x), kept

    def key(self, symbol, cache):
        x = self.glyph(symbol)
        grown = []
        for relay, old in zip(self.relays, cache):
            x, pair = relay.cached(x, old)
            grown.append(pair)
        return self.tap(x), grown
