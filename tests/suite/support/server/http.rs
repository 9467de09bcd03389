//! Just enough HTTP/1.1 for one request a connection.

use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::reply::{Framing, Reply, Step};
use super::{Received, Shared};

/// Requests longer than this are a mistake of the test.
const LONGEST_REQUEST: usize = 64 * 1024 * 1024;

/// Reads one request, answers it, and notes when the client went away before the end.
pub(super) async fn serve(mut socket: TcpStream, shared: Arc<Shared>) {
    let _ = socket.set_nodelay(true);
    let Ok(received) = read_request(&mut socket).await else { return };
    let reply = shared.respond(&received);
    let (mut reader, mut writer) = socket.split();
    let mut rest = [0; 64];
    let ended = tokio::select! {
        // In this order, so that a client that leaves after the last byte did not hang up.
        biased;
        written = write_reply(&mut writer, reply) => written,
        // The client sends nothing more, so whatever is read here is its end.
        _ = reader.read(&mut rest) => Err(Error::from(ErrorKind::BrokenPipe)),
    };
    if ended.is_err() {
        shared.progress.send_modify(|(_, hang_ups)| *hang_ups += 1);
    }
}

async fn read_request(socket: &mut TcpStream) -> Result<Received> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        read_more(socket, &mut bytes).await?;
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let path = first.next().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, value)| value.parse().unwrap_or(0));
    while bytes.len() < head_end + 4 + length {
        read_more(socket, &mut bytes).await?;
    }
    let body = serde_json::from_slice(&bytes[head_end + 4..]).unwrap_or(Value::Null);
    Ok(Received { method, path, headers, body })
}

async fn read_more(socket: &mut TcpStream, bytes: &mut Vec<u8>) -> Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    let count = socket.read(&mut buffer).await?;
    if count == 0 || bytes.len() > LONGEST_REQUEST {
        return Err(Error::from(ErrorKind::UnexpectedEof));
    }
    bytes.extend_from_slice(&buffer[..count]);
    Ok(())
}

async fn write_reply(writer: &mut (impl AsyncWriteExt + Unpin), reply: Reply) -> Result<()> {
    tokio::time::sleep(reply.delay).await;
    if reply.framing == Framing::Nothing {
        return Ok(());
    }
    let mut head = format!("HTTP/1.1 {} Status\r\nconnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        for part in [name, ": ", value, "\r\n"] {
            head.push_str(part);
        }
    }
    if reply.framing == Framing::EndlessHead {
        loop {
            writer.write_all(head.as_bytes()).await?;
            "x-more: and more\r\n".clone_into(&mut head);
        }
    }
    head.push_str("transfer-encoding: chunked\r\n\r\n");
    writer.write_all(head.as_bytes()).await?;
    for step in reply.steps {
        match step {
            Step::Bytes(bytes) | Step::Raw(bytes) => write_chunk(writer, &bytes).await?,
            Step::Pause(time) => tokio::time::sleep(time).await,
            Step::Forever(bytes, every) => loop {
                write_chunk(writer, &bytes).await?;
                tokio::time::sleep(every).await;
            },
            Step::Hang => std::future::pending().await,
            // Without the closing chunk the client knows that something is missing.
            Step::Cut => return Ok(()),
        }
    }
    writer.write_all(b"0\r\n\r\n").await?;
    writer.flush().await
}

async fn write_chunk(writer: &mut (impl AsyncWriteExt + Unpin), bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    writer.write_all(&framed).await?;
    writer.flush().await
}
