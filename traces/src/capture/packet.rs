//! A packet of a capture.

use crate::headers::Headers;
use crate::link::LinkType;
use crate::unread::Unread;

/// A packet as captured.
#[derive(Debug, Clone, Copy)]
pub struct Packet<'a> {
    /// The captured bytes, link-layer header included.
    pub data: &'a [u8],
    /// How to find the IP packet in it; `None` if its interface's link type is not read.
    pub link: Option<LinkType>,
    /// Nanoseconds since 1970; `None` in a pcapng simple packet block.
    pub timestamp: Option<u64>,
    /// Length on the wire in bytes, of which `data` is the beginning.
    pub wire_length: u32,
}

impl<'a> Packet<'a> {
    /// The packet's headers; `None` if it is not IP, or cut inside the IP header.
    #[inline]
    pub fn headers(&self) -> Option<Headers<'a>> {
        Headers::of_ip_packet(self.link?.ip_packet(self.data, self.missing()).ok()?)
    }

    /// Bytes on the wire that were not captured.
    #[inline]
    fn missing(&self) -> usize {
        (self.wire_length as usize).saturating_sub(self.data.len())
    }

    /// What the packet is, if it has no [`headers`](Self::headers).
    pub fn unread(&self) -> Option<Unread> {
        let Some(link) = self.link else { return Some(Unread::LinkType) };
        match link.ip_packet(self.data, self.missing()) {
            Err(unread) => Some(unread),
            Ok(packet) if Headers::of_ip_packet(packet).is_some() => None,
            Ok(packet) if Headers::may_be_cut(packet) => Some(Unread::Cut),
            Ok(_) => Some(Unread::NotIp),
        }
    }
}
